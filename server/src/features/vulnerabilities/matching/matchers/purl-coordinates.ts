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
  return { ecosystem: ecosystemOf(purl), package: spell(purl), version: purl.version }
}

/** Actions are repositories, and some tools list them as such. */
const ecosystemOf = (purl: Purl): string =>
  purl.type === 'github' ? 'GitHub Actions' : ecosystemOfPurl(purl)

const joined =
  (separator: string) =>
  ({ namespace, name }: Purl): string =>
    namespace === '' ? name : `${namespace}${separator}${name}`
const bare = ({ name }: Purl): string => name
const lower = (text: string): string => text.toLowerCase()

/** A module from its second major version on has that in its path; some tools put it behind a `#`. */
const module = (purl: Purl): string =>
  lower(joined('/')(purl)) + (/^v[2-9]\d*$/.test(purl.subpath) ? `/${purl.subpath}` : '')

/** Package names as the catalogue spells them: as OSV does, in small letters where their case says nothing. */
const registries = new Map<string, (purl: Purl) => string>([
  ['pypi', ({ name }) => name.toLowerCase().replaceAll(/[-_.]+/g, '-')],
  ['npm', joined('/')],
  ['maven', joined(':')],
  ['golang', module],
  ['cargo', bare],
  ['nuget', ({ name }) => lower(name)],
  ['composer', (purl) => lower(joined('/')(purl))],
  ['gem', bare],
  ['hex', bare],
  ['pub', bare],
  ['githubactions', (purl) => lower(joined('/')(purl))],
  ['github', (purl) => lower(joined('/')(purl))],
  ['swift', joined('/')],
  ['cran', bare],
  ['hackage', bare],
])
