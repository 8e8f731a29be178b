import { invalid } from '#platform/errors.ts'
import { sectionHash } from './canonical-json.ts'
import { fieldsOf } from './section-values.ts'
import type { Texts } from './signed-agent-store.ts'

export type Sections = Readonly<Record<string, unknown>>

const sectionNames: ReadonlySet<string> = new Set([
  'os',
  'hardware',
  'nics',
  'software',
  'services',
  'listening',
  'users',
  'disks',
  'protection',
  'certs',
  'containers',
  'cloud',
])

/** Sections but for software are stored with the agent. */
const STORED_LENGTH_MAX = 1_048_576

/** Rows of the section `software`. */
export interface SoftwareChanges {
  /** The hash of the list from which it differs. */
  readonly base: string
  readonly added: readonly unknown[]
  readonly removed: readonly unknown[]
}

/** One report as it was read: `hashes` of all sections of the host, and the sections that changed. */
export interface SectionReport {
  readonly hashes: Texts
  readonly changed: Sections
  /** How the list of software differs from the one that the server has; absent: it is whole in `changed`, or as it was. */
  readonly softwareChanges?: SoftwareChanges
  /** Could not be read by the agent: what was told before stays. */
  readonly failed: ReadonlySet<string>
}

/** Sections of names that this server does not know are left out: a newer agent may send them. */
export function readSections(body: Readonly<Record<string, unknown>>): SectionReport {
  const [hashes, changed] = [objectIn(body, 'sections'), objectIn(body, 'changed')]
  for (const [name, hash] of known(hashes))
    if (typeof hash !== 'string' || !/^[0-9a-f]{32}$/.test(hash))
      throw invalid(`sections.${name}`, 'must be 32 hexadecimal digits')
  for (const [name, section] of known(changed)) {
    if (hashOf(name, section) !== hashes[name])
      throw invalid(`changed.${name}`, `does not have the hash of sections.${name}`)
    if (name !== 'software' && JSON.stringify(section).length > STORED_LENGTH_MAX)
      throw invalid(`changed.${name}`, `is longer than ${STORED_LENGTH_MAX} characters`)
  }
  const softwareChanges = softwareChangesIn(body, hashes, changed)
  const failed = Array.isArray(body['failed']) ? (body['failed'] as unknown[]) : []
  return {
    hashes: Object.fromEntries(known(hashes)) as Texts,
    changed: Object.fromEntries(known(changed)),
    ...(softwareChanges && { softwareChanges }),
    failed: new Set(failed.filter((it) => typeof it === 'string')),
  }
}

function softwareChangesIn(body: Sections, hashes: Sections, changed: Sections): SoftwareChanges | undefined {
  if (body['changes'] === undefined) return undefined
  const { software } = objectIn(body, 'changes')
  if (software === undefined || !Object.hasOwn(hashes, 'software') || Object.hasOwn(changed, 'software'))
    return undefined
  const { base, added, removed } = fieldsOf(software)
  if (typeof base !== 'string' || !Array.isArray(added) || !Array.isArray(removed))
    throw invalid('changes.software', 'must be base, added and removed')
  return { base, added: added as unknown[], removed: removed as unknown[] }
}

function hashOf(name: string, section: unknown): string {
  try {
    return sectionHash(section)
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`changed.${name}`, 'is nested too deeply')
    throw error
  }
}

const known = (fields: Sections): [string, unknown][] =>
  Object.entries(fields).filter(([name]) => sectionNames.has(name))

function objectIn(body: Readonly<Record<string, unknown>>, field: string): Sections {
  const value = body[field]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(field, 'must be an object')
  return value as Sections
}

/** Names that the server must still be sent, by what it stored and what came. */
export const missingSections = (stored: Texts, report: SectionReport): string[] =>
  Object.keys(report.hashes).filter(
    (name) => stored[name] !== report.hashes[name] && !receivedIn(stored, report).includes(name),
  )

/** Sections that the report brings up to date. Changes of another list than the stored one bring nothing. */
export const receivedIn = (stored: Texts, { changed, softwareChanges }: SectionReport): string[] => [
  ...Object.keys(changed),
  ...(softwareChanges && softwareChanges.base === stored['software'] ? ['software'] : []),
]
