import type { Row } from '#platform/conditions/field.ts'

/** When an asset began or ceased to match, as far as histories decide it. Pure. */

export interface Move {
  readonly atMs: number
  readonly move: 'enter' | 'leave'
}

/** How one part of an asset was at each time. */
export interface History {
  /** When it changed, in milliseconds since 1970. */
  readonly times: readonly number[]
  /** The row of the asset as it is now, with that part as it was after the changes of that time. */
  readonly at: (row: Row, atMs: number) => Row
}

/** Goes through the changes since then; what no history tells of is taken as it is now. */
export function movesOf(
  row: Row,
  histories: readonly History[],
  ...[sinceMs, holds]: [number, (row: Row, at: Date) => boolean]
): Move[] {
  const rowAt = (atMs: number) => histories.reduce((known, history) => history.at(known, atMs), row)
  const times = new Set(histories.flatMap((it) => it.times).filter((atMs) => atMs >= sinceMs))
  let isMember = holds(rowAt(sinceMs - 1), new Date(sinceMs))
  const moves: Move[] = []
  for (const atMs of [...times].sort((a, b) => a - b)) {
    const matches = holds(rowAt(atMs), new Date(atMs))
    if (matches !== isMember) moves.push({ atMs, move: matches ? 'enter' : 'leave' })
    isMember = matches
  }
  return moves
}
