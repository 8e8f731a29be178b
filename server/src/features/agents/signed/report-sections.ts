import { invalid } from '#platform/errors.ts'
import { sectionHash } from './canonical-json.ts'
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

/** One report as it was read: `hashes` of all sections of the host, and the sections that changed. */
export interface SectionReport {
  readonly hashes: Texts
  readonly changed: Sections
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
  const failed = Array.isArray(body['failed']) ? (body['failed'] as unknown[]) : []
  return {
    hashes: Object.fromEntries(known(hashes)) as Texts,
    changed: Object.fromEntries(known(changed)),
    failed: new Set(failed.filter((it) => typeof it === 'string')),
  }
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
export const missingSections = (stored: Texts, { hashes, changed }: SectionReport): string[] =>
  Object.keys(hashes).filter((name) => stored[name] !== hashes[name] && !Object.hasOwn(changed, name))
