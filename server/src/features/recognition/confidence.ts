import { readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { Basis } from './basis.ts'
import type { DeviceType } from './device-types.ts'
import { isChosen, type TextSource } from './signals.ts'

/**
 * Whose words they are: the maker's where a protocol asks what the thing is, the maker's where a service greets or names
 * its realm, or those of people.
 */
export const voices = ['description', 'greeting', 'people'] as const
export type Voice = (typeof voices)[number]

const describing: ReadonlySet<TextSource> = new Set([
  'snmp_sysdescr',
  'neighbour',
  'mdns',
  'ssdp',
  'dhcp',
  'ipp',
  'pjl',
  'industrial',
  'hint',
])

/** What is said: a type, or that it is a thing which none of our types fits. */
export const verdicts = ['type', 'none'] as const
export type Verdict = (typeof verdicts)[number]

/** Statements that are measured together. */
export interface Kind {
  readonly basis: Basis
  readonly voice: Voice
  readonly verdict: Verdict
  readonly source?: TextSource
}

/** How many statements of a kind were asked about, how many were right, and what is stated of it. */
export interface Measured extends Kind {
  readonly asked: number
  readonly right: number
  readonly confidence: number
}

/** How likely a statement is right, as `rollcall bench recognition --calibrate` measured it on makers left out. */
export function confidenceOf(basis: Basis, source: TextSource, type: DeviceType | undefined): number {
  const { byKind, lowest } = table()
  const known = byKind.get(keyOf(kindOf(basis, source, type))) ?? lowest.get(basis) ?? UNMEASURED
  return Math.min(known, source === 'hint' ? HINT_MAX : isChosen(source) ? CHOSEN_MAX : 1)
}

export const keyOf = ({ basis, voice, verdict, source }: Kind | Measured): string =>
  `${basis} ${voice} ${verdict} ${source}`

export const verdictOf = (type: DeviceType | undefined): Verdict =>
  type === undefined || type === 'unknown' ? 'none' : 'type'

export const voiceOf = (source: TextSource): Voice =>
  isChosen(source) ? 'people' : describing.has(source) ? 'description' : 'greeting'

/** Services say unequally little: of a statement that rests on silence, each source is a kind of its own. */
export const kindOf = (basis: Basis, source: TextSource, type: DeviceType | undefined): Kind => ({
  basis,
  voice: voiceOf(source),
  verdict: verdictOf(type),
  ...(basis === 'silent' && { source }),
})

/** A kind of statement that no case of the labelled data makes. */
const UNMEASURED = 0.5
/** What a caller believes may be as old as his list. */
const HINT_MAX = 0.7
/** Below what is called high. */
const CHOSEN_MAX = 0.79

const file = new URL('data/confidence.json', import.meta.url)

const table = once(() => {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Measured[]
  const byBasis = Map.groupBy(rows, ({ basis }) => basis)
  return {
    byKind: new Map(rows.map((row) => [keyOf(row), row.confidence])),
    /** For a kind that nothing measured: what the least sure statement of that basis is worth. */
    lowest: new Map(
      [...byBasis].map(([basis, these]) => [basis, Math.min(...these.map((row) => row.confidence))]),
    ),
  }
})
