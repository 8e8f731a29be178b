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
  readonly verdict?: Verdict
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
  const known = stated()(kindOf(basis, source, type))
  return Math.min(known, source === 'hint' ? HINT_MAX : isChosen(source) ? CHOSEN_MAX : 1)
}

/** What a table states of a kind; of one that nothing measured, what all of its basis are worth, but never high. */
export function statedBy(rows: readonly Measured[]): (kind: Kind) => number {
  const byKind = new Map(rows.map((row) => [keyOf(row), row.confidence]))
  const byBasis = new Map(
    [...Map.groupBy(rows, ({ basis }) => basis)].map(([basis, these]) => [basis, meanOf(these)]),
  )
  return (kind) => byKind.get(keyOf(kind)) ?? Math.min(byBasis.get(kind.basis) ?? UNMEASURED, CHOSEN_MAX)
}

function meanOf(rows: readonly Measured[]): number {
  const asked = rows.reduce((sum, row) => sum + row.asked, 0)
  return rows.reduce((sum, row) => sum + row.confidence * row.asked, 0) / asked
}

export const keyOf = ({ basis, voice, verdict, source }: Kind | Measured): string =>
  `${basis} ${voice} ${verdict} ${source}`

export const verdictOf = (type: DeviceType | undefined): Verdict =>
  type === undefined || type === 'unknown' ? 'none' : 'type'

export const voiceOf = (source: TextSource): Voice =>
  isChosen(source) ? 'people' : describing.has(source) ? 'description' : 'greeting'

/**
 * Whether a type of ours is said matters where a maker's habit says it: a product's word is as sure of a telephone as of a
 * switch. Services say unequally little: of a statement that rests on silence, each source is a kind of its own.
 */
export const kindOf = (basis: Basis, source: TextSource, type: DeviceType | undefined): Kind => ({
  basis,
  voice: voiceOf(source),
  ...(habits.has(basis) && { verdict: verdictOf(type) }),
  ...(basis === 'silent' && { source }),
})

const habits: ReadonlySet<Basis> = new Set(['maker', 'sole'])

/** A kind of statement that no case of the labelled data makes. */
const UNMEASURED = 0.5
/** What a caller believes may be as old as his list. */
const HINT_MAX = 0.7
/** Below what is called high. */
const CHOSEN_MAX = 0.79

const file = new URL('data/confidence.json', import.meta.url)

const stated = once(() => statedBy(JSON.parse(readFileSync(file, 'utf8')) as Measured[]))
