import type { Tone } from '#ui/badge.tsx'

/** The bands of the risk score, as people speak of it. */
export function bandOf(score: number): readonly [string, Tone] {
  if (score >= 80) return ['Critical', 'bad']
  if (score >= 60) return ['High', 'bad']
  if (score >= 30) return ['Medium', 'warn']
  return score > 0 ? ['Low', 'info'] : ['None', 'good']
}
