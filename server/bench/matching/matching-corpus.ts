import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip, gunzipSync } from 'node:zlib'
import type { PackageRules } from '#features/advisories/advisories.ts'
import type { Advisory } from '#features/advisories/advisory.ts'
import { formats, type FeedName } from '#features/advisories/formats/all.ts'
import { invalid } from '#platform/errors.ts'

/** Labelled data and records of feeds, as they lie in a folder. */
export interface Boundary {
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly cve: string
  readonly expected: boolean
}

/** What people found out about scanners' findings. */
export interface Label {
  readonly image: string
  readonly distro_hint: string | null
  readonly package_kind_guess: 'rpm' | 'deb' | 'apk' | 'language-or-binary'
  readonly package: string
  readonly version: string
  readonly cve: string
  readonly expected: boolean
}

/** Records of one feed, and its rules by package. */
export interface Catalogue {
  readonly advisories: readonly Advisory[]
  readonly rulesOf: (key: { readonly ecosystem: string; readonly package: string }) => readonly PackageRules[]
}

export function readLabels<T>(folder: string, path: string): T[] {
  const file = join(folder, path)
  if (!existsSync(file)) throw invalid('data', `there is no ${path} in ${folder}`)
  return gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

/** As a sync would read the file. */
export async function readCatalogue(feed: FeedName, file: string, name: string): Promise<Catalogue> {
  const advisories: Advisory[] = []
  const content = file.endsWith('.gz') ? createReadStream(file).pipe(createGunzip()) : createReadStream(file)
  for await (const entry of formats[feed].read({ name, content }))
    if ('advisory' in entry) advisories.push(entry.advisory)
  return catalogueOf(feed, advisories)
}

export function catalogueOf(feed: string, advisories: readonly Advisory[]): Catalogue {
  const rules = advisories
    .filter(({ state }) => state === 'published')
    .flatMap((advisory) =>
      advisory.rules.map((rule): PackageRules => ({
        feed,
        advisoryId: advisory.id,
        cveIds: advisory.cveIds,
        isDisputed: advisory.isDisputed,
        ecosystem: rule.ecosystem,
        package: rule.package,
        rules: [rule],
      })),
    )
  const byName = Map.groupBy(rules, (rule) => `${rule.ecosystem}\n${rule.package}`)
  return { advisories, rulesOf: (key) => byName.get(`${key.ecosystem}\n${key.package}`) ?? [] }
}
