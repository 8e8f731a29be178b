import calculator from 'ae-cvss-calculator'
import type { Score, Severity } from '../advisory.ts'

const calculators = {
  '2.0': calculator.Cvss2,
  '3.0': calculator.Cvss3P0,
  '3.1': calculator.Cvss3P1,
  '4.0': calculator.Cvss4P0,
} as const

const VECTOR_LENGTH_MAX = 512

/** The base score computed from a CVSS vector; undefined when the vector is invalid or its version unknown. */
export function baseScoreOf(vector: string): { version: Score['version']; score: number } | undefined {
  const version = versionOf(vector)
  if (!version || vector.length > VECTOR_LENGTH_MAX) return undefined
  try {
    const { base } = new calculators[version](vector).calculateScores()
    return base === undefined || Number.isNaN(base) ? undefined : { version, score: base }
  } catch {
    return undefined
  }
}

/** The score published by a feed, else the base score of its vector. */
export function scoreFrom(source: string, vector: string, published?: number): Score | undefined {
  const version = versionOf(vector)
  if (!version) return undefined
  const isPublished = published !== undefined && published >= 0 && published <= 10
  const score = isPublished ? published : baseScoreOf(vector)?.score
  return score === undefined ? undefined : { version, vector, score, source }
}

function versionOf(vector: string): Score['version'] | undefined {
  const [, named] = /^CVSS:(3\.0|3\.1|4\.0)\//.exec(vector) ?? []
  if (named) return named as Score['version']
  return /^\(?AV:[LAN]\/AC:[HML]\/Au:/.test(vector) ? '2.0' : undefined
}

const WORDS: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  important: 'high',
  high: 'high',
  medium: 'medium',
  moderate: 'medium',
  low: 'low',
  minor: 'low',
  negligible: 'informational',
  unimportant: 'informational',
  none: 'informational',
  informational: 'informational',
}

/** A distribution's severity word, case-insensitive; a suffix is ignored (Debian writes `low**`). */
export const parseSeverity = (word: string): Severity | undefined =>
  WORDS[word.toLowerCase().replace(/[^a-z].*$/, '')]
