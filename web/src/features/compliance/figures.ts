import type { FrameworkRow } from '#api/generated/compliance.ts'
import { percent } from '#lib/numbers.ts'

/** The score never stands without the coverage that says how much it means. */
export const figuresOf = ({ score, coverage }: Pick<FrameworkRow, 'score' | 'coverage'>): string =>
  `${score === null ? 'No score yet' : `Score ${percent(score)} (pass, of pass or fail)`}; coverage ${percent(coverage)} (judged, of all)`
