import type { FrameworkRow } from '#api/generated/operations.ts'

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** The score never stands without the coverage that says how much it means. */
export const figuresOf = ({ score, coverage }: Pick<FrameworkRow, 'score' | 'coverage'>): string =>
  `${score === null ? 'no score yet' : `${percent(score)} pass`} at a coverage of ${percent(coverage)}`
