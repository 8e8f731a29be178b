import { ecosystemOfPurl, parsePurl, type Purl } from '#features/software/software.ts'

/** Ecosystem and name under which a registry's advisories list a package. */
export interface Coordinates {
  readonly ecosystem: string
  readonly package: string
  readonly version: string
}

/** Undefined for a URL that is not of a registry whose advisories are read. */
export function coordinatesOf(text: string): Coordinates | undefined {
  const purl = parsePurl(text)
  const spell = purl && registries.get(purl.type)
  if (!spell) return undefined
  return { ecosystem: ecosystemOfPurl(purl), package: spell(purl), version: purl.version }
}

const joined =
  (separator: string) =>
  ({ namespace, name }: Purl): string =>
    namespace === '' ? name : `${namespace}${separator}${name}`
const bare = ({ name }: Purl): string => name

/** Package names as OSV spells them. */
const registries = new Map<string, (purl: Purl) => string>([
  ['pypi', ({ name }) => name.toLowerCase().replaceAll(/[-_.]+/g, '-')],
  ['npm', joined('/')],
  ['maven', joined(':')],
  ['golang', joined('/')],
  ['cargo', bare],
  ['nuget', bare],
  ['composer', joined('/')],
  ['gem', bare],
  ['hex', bare],
  ['pub', bare],
])
