import type { Tone } from '#ui/badge.tsx'

/** Label and tone of the band of a risk score. */
export function bandOf(score: number): readonly [string, Tone] {
  if (score >= 80) return ['Critical', 'bad']
  if (score >= 60) return ['High', 'bad']
  if (score >= 30) return ['Medium', 'warn']
  return score > 0 ? ['Low', 'info'] : ['None', 'good']
}
