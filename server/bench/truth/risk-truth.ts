import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Advisory, Ssvc } from '#features/advisories/advisory.ts'
import { scoresByPrecedence } from '#features/advisories/catalogue/cvss-precedence.ts'
import { formats } from '#features/advisories/formats/all.ts'
import { cveList } from '#features/advisories/formats/cve/cve-list.ts'
import { bandOf, riskOf } from '#features/vulnerabilities/risk/risk-score.ts'
import { ratingOf } from '#features/vulnerabilities/severity.ts'
import { figureRow, shareRow, type TruthRow, type TruthSection } from './rows.ts'

/** The score of an asset with one open finding, of each CVE of the sample; nobody estimated likelihoods in it. */
export const riskTruth: TruthSection = {
  title: 'Risk (records of the CVE list; one finding, matched exactly, EPSS unknown)',
  folder: 'nvd',
  rows: rowsOf,
}

interface Scored {
  readonly score: number
  readonly isExploited: boolean
  readonly isRated: boolean
  readonly ssvc?: Ssvc
}

async function rowsOf(folder: string): Promise<TruthRow[]> {
  const exploited = await exploitedIn(join(folder, 'kev.json'))
  const all: Scored[] = []
  for await (const advisory of advisoriesIn(join(folder, 'cve-v5-sample.jsonl.gz')))
    if (advisory.state === 'published') all.push(scored(advisory, exploited))
  const listed = all.filter(({ isExploited }) => isExploited)
  const decided = all.filter(({ ssvc }) => ssvc !== undefined)
  const unrated = all.filter(({ isRated }) => !isRated)
  const ofNvd = (await nvdRecordsIn(folder)).map((it) => scored(it, exploited))
  const listedByNvd = ofNvd.filter(({ isExploited }) => isExploited)
  const isHigh = ({ score }: Scored) => ['high', 'critical'].includes(bandOf(score))
  return [
    shareRow(
      'KEV-listed called high or critical',
      { asked: listed.length, count: listed.filter(isHigh).length },
      { atLeast: 0.99 },
    ),
    shareRow(
      "KEV-listed called high or critical, by NVD's records",
      { asked: listedByNvd.length, count: listedByNvd.filter(isHigh).length },
      { atLeast: 0.99 },
    ),
    shareRow(
      'exploited by SSVC called high or critical',
      { asked: active(all).length, count: active(all).filter(isHigh).length },
      { atLeast: 0.99 },
    ),
    figureRow('rank correlation with SSVC', decided, correlation, { atLeast: 0.6 }),
    shareRow('without a CVSS score, rated 5.5 all the same', {
      asked: unrated.length,
      count: unrated.filter(({ ssvc, isExploited }) => !ssvc && !isExploited).length,
    }),
  ]
}

const active = (all: readonly Scored[]): Scored[] => all.filter(({ ssvc }) => ssvc?.exploitation === 'active')

/** Genuine ones and those composed of other feeds, in NVD's form. */
async function nvdRecordsIn(folder: string): Promise<Advisory[]> {
  const files = [
    createReadStream(join(folder, 'nvd-2.0-genuine.json')),
    createReadStream(join(folder, 'nvd-2.0-composed.json.gz')).pipe(createGunzip()),
  ]
  const byId = new Map<string, Advisory>()
  for (const content of files)
    for await (const entry of formats.nvd.read({ name: 'nvdcve-2.0-2024.json', content }))
      if ('advisory' in entry && entry.advisory.state === 'published')
        byId.set(entry.advisory.id, byId.get(entry.advisory.id) ?? entry.advisory)
  return [...byId.values()]
}

function scored({ id, scores, ssvc }: Advisory, exploited: ReadonlySet<string>): Scored {
  const [score] = scoresByPrecedence([{ scores } as never])
  const { tenths } = ratingOf({ ...(score && { score }), ...(ssvc && { ssvc }) })
  const isExploited = exploited.has(id)
  return {
    score: riskOf([{ cvssScore: tenths / 10, isExploited, grade: 'exact', ssvc }]),
    isExploited,
    isRated: score !== undefined,
    ...(ssvc && { ssvc }),
  }
}

/** Spearman's, with the decision points in the order of SSVC: exploitation, automatable, technical impact. */
function correlation(cases: readonly Scored[]): number {
  const urgency = ({ ssvc }: Scored) =>
    ssvc
      ? 4 * ['none', 'poc', 'active'].indexOf(ssvc.exploitation) +
        (ssvc.isAutomatable ? 2 : 0) +
        (ssvc.impact === 'total' ? 1 : 0)
      : 0
  return pearson(ranks(cases.map(({ score }) => score)), ranks(cases.map(urgency)))
}

/** Equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).toSorted((a, b) => a.value - b.value)
  const found: number[] = Array.from({ length: values.length }, () => 0)
  for (let from = 0; from < order.length;) {
    let to = from
    while (order[to + 1]?.value === order[from]?.value) to++
    for (let at = from; at <= to; at++) found[order[at]!.at] = (from + to) / 2
    from = to + 1
  }
  return found
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length
  const [ma, mb] = [mean(a), mean(b)]
  const sum = (of: (at: number) => number) => a.reduce((all, _, at) => all + of(at), 0)
  const spread = Math.sqrt(sum((at) => (a[at]! - ma) ** 2) * sum((at) => (b[at]! - mb) ** 2))
  return spread === 0 ? 0 : sum((at) => (a[at]! - ma) * (b[at]! - mb)) / spread
}

async function exploitedIn(path: string): Promise<ReadonlySet<string>> {
  const { vulnerabilities } = JSON.parse(await readFile(path, 'utf8')) as {
    vulnerabilities: readonly { cveID: string }[]
  }
  return new Set(vulnerabilities.map(({ cveID }) => cveID))
}

async function* advisoriesIn(path: string): AsyncGenerator<Advisory> {
  const content = createReadStream(path).pipe(createGunzip())
  for await (const entry of cveList.read({ name: 'cve-v5-sample.jsonl', content }))
    if ('advisory' in entry) yield entry.advisory
}
