import type { Score } from '../advisory.ts'
import type { AdvisoryRecord } from './advisory-record.ts'

/** Which of several CVSS scores of one vulnerability counts: by source, then by version, then the highest. */

const SCORE_SOURCE_PRECEDENCE = ['nvd@nist.gov', 'cna', 'cisa-adp'] as const
/** 3.1 comes first because most scores use it, so that findings compare. */
const CVSS_VERSION_PRECEDENCE = ['3.1', '4.0', '3.0', '2.0'] as const

/** All distinct scores of the records, the one that counts first. */
export function scoresByPrecedence(records: readonly AdvisoryRecord[]): Score[] {
  const all = records.flatMap((it) => it.scores)
  const distinct = new Map(all.map((it) => [`${it.source} ${it.vector}`, it]))
  return [...distinct.values()].toSorted(
    (a, b) =>
      rank(SCORE_SOURCE_PRECEDENCE, a.source) - rank(SCORE_SOURCE_PRECEDENCE, b.source) ||
      rank(CVSS_VERSION_PRECEDENCE, a.version) - rank(CVSS_VERSION_PRECEDENCE, b.version) ||
      b.score - a.score,
  )
}

/** Position in an order of precedence; values that are not in it come last. */
export const rank = (order: readonly string[], it: string): number => {
  const at = order.indexOf(it)
  return at === -1 ? order.length : at
}
