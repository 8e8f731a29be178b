import { join } from 'node:path'
import { formats } from '#features/advisories/formats/all.ts'
import type { Advisory } from '#features/advisories/advisory.ts'
import { matchesOf, type RulesOf } from '#features/vulnerabilities/matching/find-matches.ts'
import { scoresOf, tallyOf, type Score, type Tally } from './matching-tallies.ts'
import { productNames } from './name-quality.ts'
import { installedOf, registryPackages } from './matching-registries.ts'
import { catalogueOf, readCatalogue, readLabels, type Boundary, type Label } from './matching-corpus.ts'

/** Right and wrong on labelled data, by ecosystem and grade. */
export async function qualityOver(folder: string): Promise<Score[]> {
  const nvd = await readCatalogue('nvd', join(folder, 'nvd/nvd-2.0-composed.json.gz'), 'nvdcve-2.0-2024.json')
  const labels = readLabels<Label>(folder, 'matching/scanner-labels.jsonl.gz')
  const osv = await readOsv(folder)
  const ofLabels = await readCatalogue(
    'nvd',
    join(folder, 'matching/scanner-labels-nvd20.json.gz'),
    'nvdcve-2.0-2024.json',
  )
  return [
    ...boundaries(folder, nvd.rulesOf),
    ...ranges(osv),
    ...productNames(folder, [...nvd.advisories, ...ofLabels.advisories]),
    ...distributionPackages(labels, nvd.rulesOf),
    ...registryPackages(labels, [...osv, ...nvd.advisories, ...ofLabels.advisories]),
  ]
}

const ours = { origin: 'windows' as const, ecosystem: '' }

/** Versions at and beside the bounds of NVD's ranges. */
function boundaries(folder: string, rulesOf: RulesOf): Score[] {
  const tallies = new Map<string, Tally>()
  for (const it of readLabels<Boundary>(folder, 'matching/nvd-boundaries.jsonl.gz')) {
    const name = `${it.part}:${it.vendor}:${it.product.replaceAll(/\\(.)/g, '$1')}`
    const installed = { ...ours, name, version: it.version, products: [{ name, isVendorSure: true }] }
    const match = matchesOf(installed, rulesOf).find(({ cveId }) => cveId === it.cve)
    for (const of of ['NVD version ranges', ...(match ? [`NVD version ranges, ${match.grade}`] : [])])
      tallyOf(tallies, of).add(match !== undefined, it.expected)
  }
  return scoresOf(tallies)
}

const LISTED_MAX = 200

/** Versions that a record lists one by one lie in its ranges, and those with the fix do not. */
function ranges(advisories: readonly Advisory[]): Score[] {
  const tallies = new Map<string, Tally>()
  for (const advisory of advisories)
    for (const rule of advisory.rules) {
      if (rule.ranges.length === 0 || rule.verdict !== 'affected') continue
      const { rulesOf } = catalogueOf('osv', [{ ...advisory, rules: [{ ...rule, versions: [] }] }])
      const ask = (version: string, isExpected: boolean) => {
        const isFound = matchesOf(installedOf(rule.ecosystem, rule.package, version), rulesOf).length > 0
        tallyOf(tallies, `${rule.ecosystem.split(':')[0]} ranges`).add(isFound, isExpected)
      }
      for (const version of rule.versions.slice(0, LISTED_MAX)) ask(version, true)
      for (const { fixed } of rule.ranges)
        if (fixed !== undefined && !rule.versions.includes(fixed)) ask(fixed, false)
    }
  return scoresOf(tallies)
}

const kinds = { rpm: 'rpm', deb: 'dpkg', apk: 'apk' } as const

/** Without a feed of the distribution nothing is said about what it built, whatever others say of that name. */
function distributionPackages(labels: readonly Label[], rulesOf: RulesOf): Score[] {
  const tallies = new Map<string, Tally>()
  for (const { package: name, version, cve, expected, package_kind_guess: kind } of labels) {
    if (kind === 'language-or-binary') continue
    const products = [{ name: `a:${name}:${name}`, isVendorSure: true }]
    const matches = matchesOf({ origin: kinds[kind], ecosystem: '', name, version, products }, rulesOf)
    tallyOf(tallies, `${kinds[kind]} packages, no distribution feed`).add(
      matches.some(({ cveId }) => cveId === cve),
      expected,
    )
  }
  return scoresOf(tallies)
}

async function readOsv(folder: string): Promise<Advisory[]> {
  const advisories: Advisory[] = []
  for (const path of ['osv/pypi-pysec.jsonl.gz', 'osv/other-ecosystems.jsonl.gz'])
    for (const record of readLabels<object>(folder, path)) {
      const content = (async function* () {
        yield Buffer.from(JSON.stringify(record))
      })()
      try {
        for await (const entry of formats.osv.read({ name: 'record.json', content }))
          if ('advisory' in entry) advisories.push(entry.advisory)
      } catch {
        // a record that the reader refuses is not taken by a sync either
      }
    }
  return advisories
}

export const linesOf = (scores: readonly Score[]): string[] => [
  `${''.padEnd(44)} precision    recall   affected   not`,
  ...scores.map(({ name, hits, falseAlarms, misses, silences }) =>
    [
      name.padEnd(44),
      share(hits, falseAlarms),
      share(hits, misses),
      String(hits + misses).padStart(10),
      String(falseAlarms + silences).padStart(5),
    ].join(' '),
  ),
]

const share = (right: number, wrong: number): string =>
  (right + wrong === 0 ? '-' : (right / (right + wrong)).toFixed(4)).padStart(9)
