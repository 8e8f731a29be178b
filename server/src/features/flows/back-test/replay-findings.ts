import type { FindingTurn } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import { textIn, type Row } from '#platform/conditions/field.ts'
import { unreachable } from '#platform/errors.ts'

/** When an asset began or ceased to match, as far as its findings decide it. Pure. */

export interface Move {
  readonly atMs: number
  readonly move: 'enter' | 'leave'
}

type Turn = Pick<FindingTurn, 'cveId' | 'atMs' | 'status' | 'severity' | 'score'>

/**
 * Goes through what became of the findings of one asset since then. `row` is the asset as conditions read it now, `turns`
 * is all that ever became of its findings, the oldest first; everything else of the asset is taken as it is now.
 */
export function movesOf(
  row: Row,
  turns: readonly Turn[],
  ...[sinceMs, holds]: [number, (row: Row, at: Date) => boolean]
): Move[] {
  const told = new Set(turns.map(({ cveId }) => cveId))
  const reached = new Map<string, Turn>()
  for (const turn of turns) if (turn.atMs < sinceMs) reached.set(turn.cveId, turn)
  const later = [...Map.groupBy(turns, ({ atMs }) => atMs)].filter(([atMs]) => atMs >= sinceMs)
  let isMember = holds(rowWith(row, told, reached), new Date(sinceMs))
  const moves: Move[] = []
  for (const [atMs, together] of later) {
    for (const turn of together) reached.set(turn.cveId, turn)
    const matches = holds(rowWith(row, told, reached), new Date(atMs))
    if (matches !== isMember) moves.push({ atMs, move: matches ? 'enter' : 'leave' })
    isMember = matches
  }
  return moves
}

/** The asset with its findings as they were then; those of which nothing was written yet are left out. */
function rowWith(row: Row, told: ReadonlySet<string>, reached: ReadonlyMap<string, Turn>): Row {
  const findings = ((row['finding()'] ?? []) as readonly Row[]).flatMap((finding) => {
    const cveId = textIn(finding, 'cve')
    const turn = reached.get(cveId)
    if (!turn) return told.has(cveId) ? [] : [finding]
    return [{ ...finding, status: turn.status, severity: turn.severity, cvss: turn.score }]
  })
  const open = findings.filter((finding) => finding['status'] === 'open').length
  return {
    ...row,
    'finding()': findings,
    ...(typeof row['open_findings'] === 'number' && { open_findings: open }),
  }
}

/** Whether findings have a say in the condition. */
export function asksAboutFindings(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(asksAboutFindings)
    case 'not':
    case 'named':
      return asksAboutFindings(condition.part)
    case 'any':
    case 'no':
    case 'count':
      return condition.collection.name === 'finding'
    case 'compare':
    case 'in':
    case 'has':
      return condition.field.name === 'open_findings'
    case 'word':
      return false
    default:
      return unreachable(condition)
  }
}
