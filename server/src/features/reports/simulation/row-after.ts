import { textIn, type Row } from '#platform/conditions/field.ts'
import { unreachable } from '#platform/errors.ts'
import {
  riskOf,
  type AssetWeight,
  type Criticality,
  type Exposure,
  type RiskInput,
} from '#features/vulnerabilities/vulnerabilities.ts'
import { isNamed } from '../licences/licence-position.ts'
import type { SimulatedChange } from './change.ts'

/** An asset as conditions read it (`subjectRows`) after a change that nobody has made. Pure. */
export type After =
  | { readonly effect: 'unchanged' }
  | { readonly effect: 'updated' | 'removed'; readonly row: Row; readonly software: readonly string[] }
  /** By a new device of which nothing is known yet. */
  | { readonly effect: 'replaced' }
  | { readonly effect: 'retired' }

export interface Knowledge {
  readonly isEndOfLife: boolean
  /** Below, at or above zero as the element of `software` is older than the version; undefined: no known order. */
  readonly compareVersion: (software: Row, version: string) => number | undefined
}

const UNCHANGED: After = { effect: 'unchanged' }

export function rowAfter(row: Row, change: SimulatedChange, knowledge: Knowledge): After {
  switch (change.kind) {
    case 'replace_assets':
      return { effect: 'replaced' }
    case 'retire_system':
      return isNamed(change.name, textIn(row, 'os')) ? { effect: 'retired' } : UNCHANGED
    case 'retire_product':
      return withoutProduct(row, change, knowledge)
    case 'update_software':
      return updated(row, change, knowledge)
    default:
      return unreachable(change.kind)
  }
}

/** Undefined: never collected. */
export const softwareOf = (row: Row): readonly Row[] | undefined =>
  (row['software()'] ?? undefined) as readonly Row[] | undefined

/** Of every status; undefined: nobody looked. */
export const findingsOf = (row: Row): readonly Row[] | undefined =>
  (row['finding()'] ?? undefined) as readonly Row[] | undefined

export const isOpen = (finding: Row): boolean => finding['status'] === 'open'

function withoutProduct(row: Row, { name }: SimulatedChange, knowledge: Knowledge): After {
  const isMeant = (text: string) => isNamed(name, text)
  const software = softwareOf(row)
  const gone = software?.filter((it) => isMeant(textIn(it, 'name'))) ?? []
  const closed = new Set(openOf(row, isMeant))
  if (gone.length === 0 && closed.size === 0) return UNCHANGED
  const left = software?.filter((it) => !gone.includes(it)) ?? null
  return {
    effect: 'removed',
    software: namesOf(gone),
    row: withClosed({ ...row, 'software()': left }, closed, knowledge),
  }
}

function updated(row: Row, { name, version }: SimulatedChange, knowledge: Knowledge): After {
  const isMeant = (text: string) => isNamed(name, text)
  const open = openOf(row, isMeant).filter((it) => textIn(it, 'fixed_version') !== '')
  const wanted = version === null ? open.map((it) => textIn(it, 'fixed_version')) : [version]
  const newer = new Map<Row, Row>()
  for (const item of softwareOf(row) ?? [])
    if (isMeant(textIn(item, 'name'))) newer.set(item, raised(item, wanted, knowledge))
  // without a version each finding gets its own fix; otherwise the new version must be known to have it
  const closed = new Set(
    version === null
      ? open
      : open.filter((finding) =>
          [...newer.values()].some(
            (it) => (knowledge.compareVersion(it, textIn(finding, 'fixed_version')) ?? -1) >= 0,
          ),
        ),
  )
  const isRaised = [...newer].some(([before, after]) => before !== after)
  if (!isRaised && closed.size === 0) return UNCHANGED
  const software = softwareOf(row)?.map((it) => newer.get(it) ?? it) ?? null
  return {
    effect: 'updated',
    software: namesOf([...newer.keys()]),
    row: withClosed({ ...row, 'software()': software }, closed, knowledge),
  }
}

/** The newest of its version and those wanted; what has no known order changes nothing. */
const raised = (item: Row, wanted: readonly string[], { compareVersion }: Knowledge): Row =>
  wanted.reduce((it, version) => ((compareVersion(it, version) ?? 0) < 0 ? { ...it, version } : it), item)

const openOf = (row: Row, isMeant: (text: string) => boolean): Row[] =>
  (findingsOf(row) ?? []).filter((it) => isOpen(it) && isMeant(textIn(it, 'product')))

const namesOf = (software: readonly Row[]): string[] => [...new Set(software.map((it) => textIn(it, 'name')))]

/** The findings are resolved, and what is counted of them follows; what was unknown stays unknown. */
function withClosed(row: Row, closed: ReadonlySet<Row>, { isEndOfLife }: Knowledge): Row {
  if (closed.size === 0) return row
  const findings = (findingsOf(row) ?? []).map((it) => (closed.has(it) ? { ...it, status: 'resolved' } : it))
  const open = findings.filter(isOpen)
  return {
    ...row,
    'finding()': findings,
    open_findings: open.length,
    risk: riskOf(open.map(riskInputOf), weightOf(row, isEndOfLife)),
  }
}

const riskInputOf = (finding: Row): RiskInput => ({
  cvssScore: Number(finding['cvss'] ?? 0),
  isExploited: finding['exploited'] === true,
  ...(typeof finding['epss'] === 'number' && { epss: finding['epss'] }),
  grade: textIn(finding, 'match') as RiskInput['grade'],
})

const weightOf = (row: Row, isEndOfLife: boolean): AssetWeight => ({
  criticality: (textIn(row, 'criticality') || 'normal') as Criticality,
  exposure: (textIn(row, 'exposure') || 'unknown') as Exposure,
  isEndOfLife,
})
