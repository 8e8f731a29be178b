import { readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { Basis } from './basis.ts'
import { isChosen, type TextSource } from './signals.ts'

/** Who chose the words: the device's maker, or people. */
export const voices = ['device', 'people'] as const
export type Voice = (typeof voices)[number]

/** Answers of one basis and voice: how many were asked about, how many were right, and what is stated of it. */
export interface Measured {
  readonly basis: Basis
  readonly voice: Voice
  readonly asked: number
  readonly right: number
  readonly confidence: number
}

/** How likely a statement is right, as `rollcall bench recognition --calibrate` measured it on makers left out. */
export function confidenceOf(basis: Basis, source: TextSource): number {
  const known = table().get(`${basis} ${voiceOf(source)}`) ?? UNMEASURED
  return source === 'hint' ? Math.min(known, HINT_MAX) : known
}

export const voiceOf = (source: TextSource): Voice => (isChosen(source) ? 'people' : 'device')

/** A kind of statement that no case of the labelled data makes. */
const UNMEASURED = 0.5
/** What a caller believes may be as old as his list. */
const HINT_MAX = 0.7

const file = new URL('data/confidence.json', import.meta.url)

const table = once(
  (): ReadonlyMap<string, number> =>
    new Map(
      (JSON.parse(readFileSync(file, 'utf8')) as Measured[]).map(({ basis, voice, confidence }) => [
        `${basis} ${voice}`,
        confidence,
      ]),
    ),
)
