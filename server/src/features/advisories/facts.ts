import type { Exploited, Likelihood, Score, Severity } from './advisory.ts'
import type { Told } from './catalogue-store.ts'

/** What is known of one vulnerability, of all feeds together. */
export interface VulnerabilityFacts {
  /** As it was asked for: a CVE id, or another name where there is none. */
  readonly id: string
  /** `unknown` when no feed has it; `rejected` when whoever gives out CVE ids took it back, whatever others say. */
  readonly state: 'published' | 'rejected' | 'withdrawn' | 'unknown'
  /** Its maker or others deny that it is one. */
  readonly isDisputed: boolean
  /** Of the score, by the bands of CVSS; else the word of a feed; absent when nobody said. */
  readonly severity?: Severity
  /** The one that counts: of the best source, and of that the best version. */
  readonly score?: Score
  /** All of them, the one that counts first. */
  readonly scores: readonly Score[]
  readonly description: string
  /** RFC 3339. */
  readonly publishedAt?: string
  readonly modifiedAt?: string
  readonly weaknesses: readonly string[]
  readonly references: readonly string[]
  readonly exploited?: Exploited
  readonly likelihood?: Likelihood
  /** Which records were read, feed and id. */
  readonly records: readonly { readonly feed: string; readonly id: string }[]
}

/** Who is believed first: for scores, descriptions and dates. A feed that is not here comes last. */
const FEEDS_BY_WORTH = ['nvd', 'cve-list', 'osv', 'debian', 'redhat', 'ubuntu', 'suse'] as const
/** Who says what a CVE id stands for, and takes it back. */
const AUTHORITIES: ReadonlySet<string> = new Set(['nvd', 'cve-list'])
const SOURCES_BY_WORTH = ['nvd@nist.gov', 'cna', 'cisa-adp'] as const
/** 3.1 is what most score with today, so what findings can be compared by. */
const VERSIONS_BY_WORTH = ['3.1', '4.0', '3.0', '2.0'] as const
const REFERENCES_MAX = 50

export function factsFrom(
  id: string,
  records: readonly Told[],
  { exploited, likelihood }: { readonly exploited?: Exploited; readonly likelihood?: Likelihood },
): VulnerabilityFacts {
  const told = records.toSorted((a, b) => worth(a) - worth(b))
  const living = told.filter((it) => it.state === 'published')
  const [best] = living.length > 0 ? living : told
  // An advisory about several vulnerabilities describes none of them alone.
  const own = living.filter((it) => it.cveIds.length <= 1)
  const scores = scoresOf(own)
  const severity = scores[0] ? severityOf(scores[0].score) : wordOf(living)
  return {
    id,
    state: stateOf(told),
    isDisputed: told.some((it) => it.isDisputed),
    ...(severity && { severity }),
    ...(scores[0] && { score: scores[0] }),
    scores,
    description: own.find((it) => it.description !== '')?.description ?? best?.description ?? '',
    ...(best?.publishedAt && { publishedAt: best.publishedAt }),
    ...(best?.modifiedAt && { modifiedAt: best.modifiedAt }),
    weaknesses: [...new Set(own.flatMap((it) => it.weaknesses))],
    references: [...new Set(own.flatMap((it) => it.references))].slice(0, REFERENCES_MAX),
    ...(exploited && { exploited }),
    ...(likelihood && { likelihood }),
    records: told.map((it) => ({ feed: it.feed, id: it.id })),
  }
}

/** The bands of CVSS 3 and 4 (3.1 specification, section 5); a score of 0 says none, which is informational here. */
export function severityOf(score: number): Severity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'informational'
}

const rank = (order: readonly string[], it: string): number => {
  const at = order.indexOf(it)
  return at === -1 ? order.length : at
}
const worth = (it: Told): number => rank(FEEDS_BY_WORTH, it.feed)

function stateOf(told: readonly Told[]): VulnerabilityFacts['state'] {
  if (told.length === 0) return 'unknown'
  if (told.some((it) => it.state === 'rejected' && AUTHORITIES.has(it.feed))) return 'rejected'
  return told.find((it) => it.state === 'published')?.state ?? told[0]?.state ?? 'unknown'
}

function scoresOf(told: readonly Told[]): Score[] {
  const all = told.flatMap((it) => it.scores)
  const distinct = new Map(all.map((it) => [`${it.source} ${it.vector}`, it]))
  return [...distinct.values()].toSorted(
    (a, b) =>
      rank(SOURCES_BY_WORTH, a.source) - rank(SOURCES_BY_WORTH, b.source) ||
      rank(VERSIONS_BY_WORTH, a.version) - rank(VERSIONS_BY_WORTH, b.version) ||
      b.score - a.score,
  )
}

const wordOf = (told: readonly Told[]): Severity | undefined =>
  told.find((it) => it.severity !== null)?.severity ?? undefined
