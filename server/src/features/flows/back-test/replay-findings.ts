import type { FindingTurn } from '#features/vulnerabilities/vulnerabilities.ts'
import { textIn, type Row } from '#platform/conditions/field.ts'
import type { History } from './moves-over-histories.ts'

type Turn = Pick<FindingTurn, 'cveId' | 'atMs' | 'status' | 'severity' | 'score'>

/** `turns` is all that ever became of the findings of one asset, the oldest first. Pure. */
export function findingHistory(turns: readonly Turn[]): History {
  const told = new Set(turns.map(({ cveId }) => cveId))
  return {
    times: turns.map(({ atMs }) => atMs),
    at(row, time) {
      const reached = new Map<string, Turn>()
      for (const turn of turns) if (turn.atMs <= time) reached.set(turn.cveId, turn)
      return rowWith(row, told, reached)
    },
  }
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
