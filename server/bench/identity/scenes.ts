import { readFileSync } from 'node:fs'
import type { IdentifierType } from '#features/assets/observation.ts'

/**
 * What people told of machines that inventories took for one, or one machine for several: in our words, with values of our
 * own. Each is played forward and backward.
 */
export interface Scene {
  readonly title: string
  /** Where it was told. */
  readonly source: string
  readonly seen: readonly Seen[]
}

/** One report. What is reported under one key by one kind of source is one observation. */
export interface Seen {
  /** Which machine it is in truth. */
  readonly machine: string
  readonly kind: string
  readonly key: string
  /** Days after the first. */
  readonly day: number
  readonly vendor?: string
  readonly scope?: string
  readonly tells: Partial<Record<IdentifierType, string | readonly string[]>>
}

/** `scenes.jsonl`: a scene a line. */
export const scenes: readonly Scene[] = readFileSync(new URL('scenes.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Scene)
