import type { InstalledSoftware } from '#features/assets/observation.ts'
import { linesOf, word } from '../terminal-text.ts'
import { MARKS, UNREAD_JARS } from './library-commands.ts'
import type { Section } from './script-output.ts'

/**
 * Libraries of languages that lie on a host, and to which package of its distribution each belongs. Without a whole list
 * of what belongs to packages nothing is said: a library of the distribution would seem to be one that nobody patches.
 */
export function librariesIn(
  section: Section | undefined,
  packages: readonly InstalledSoftware[],
): { readonly isComplete: boolean; readonly items: readonly InstalledSoftware[] } {
  const lines = linesOf(section?.text ?? '')
  const at = lines.indexOf(MARKS.owners)
  if (at < 0 || lines.at(-1) !== MARKS.end) return { isComplete: false, items: [] }
  const [files, owned] = [lines.slice(0, at), lines.slice(at + 1)]
  const owners = ownersIn(owned, foreignAmong(packages))
  return {
    isComplete: section?.code === 0 && !section.isCut && files.at(-1) === MARKS.walked,
    items: itemsOf([...filesIn(files), ...jarsIn(files)], owners),
  }
}

/** What was not looked at, for a person to know. */
export function notesOnLibraries(section: Section | undefined): readonly string[] {
  const unread = linesOf(section?.text ?? '').find((line) => line.startsWith(UNREAD_JARS))
  if (unread === undefined || !/^\d{1,9}$/.test(unread.slice(UNREAD_JARS.length))) return []
  return [
    `packages-library: ${unread.slice(UNREAD_JARS.length)} jars were not looked into; install unzip or bsdtar on the host`,
  ]
}

const ITEMS_MAX = 20_000
const PATHS_MAX = 5
const NAME_LENGTH_MAX = 512
const PATH_LENGTH_MAX = 512

interface Library {
  readonly type: 'pypi' | 'npm' | 'gem' | 'composer' | 'maven'
  /** With its group or scope, separated by a slash. */
  readonly name: string
  readonly version: string
  readonly path: string
}

/** RPM packages of another maker than the system itself: its distribution says nothing about them. */
function foreignAmong(packages: readonly InstalledSoftware[]): ReadonlySet<string> {
  const system = packages.find(({ origin, name }) => origin === 'rpm' && name === 'glibc')?.vendor
  const others = packages.filter(({ origin, vendor }) => origin === 'rpm' && vendor !== system)
  return new Set(system === undefined ? [] : others.map(({ name }) => name))
}

/** Where no distribution puts files, whatever a package of somebody else does; Debian's Node.js has another folder. */
const OF_OTHERS = /^\/(?:opt|srv|app|usr\/local|var\/www)\//
const OF_OTHERS_ON_DEBIAN = /^\/usr\/lib\/node_modules\//

/** The package of the distribution by path. */
function ownersIn(lines: readonly string[], foreign: ReadonlySet<string>): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const line of lines) {
    const found = OWNER_LINES.map((it) => it.exec(line)).find((it) => it !== null)
    const [, owner = '', path = ''] = found ?? []
    if (owner === '' || foreign.has(owner) || OF_OTHERS.test(path)) continue
    if (line.startsWith(DPKG_LISTS) && OF_OTHERS_ON_DEBIAN.test(path)) continue
    owners.set(path, owner)
    // since /lib and /usr/lib are one folder, packages name either
    if (/^\/lib(?:64)?\//.test(path)) owners.set(`/usr${path}`, owner)
  }
  return owners
}

const DPKG_LISTS = '/var/lib/dpkg/info/'
/** As the lists of dpkg, the files of pacman (name, version and release of the package), and rpm and apk name them. */
const OWNER_LINES: readonly RegExp[] = [
  /^\/var\/lib\/dpkg\/info\/([^/:]+)(?::[^/:]+)?\.list:(\/.+)$/,
  /^\/var\/lib\/pacman\/local\/([^/]+)-[^-/]+-[^-/]+\/files\t(\/.+)$/,
  /^([^/\t]+)\t(\/.+)$/,
]

function filesIn(lines: readonly string[]): Library[] {
  const libraries: Library[] = []
  let vendored = ''
  for (const line of lines) {
    const installed = COMPOSER_LINE.exec(line)
    if (installed) {
      const [, path = '', field, value = ''] = installed
      if (field === 'name') vendored = value
      else if (vendored !== '')
        libraries.push({ type: 'composer', name: vendored, version: value.replace(/^v(?=\d)/, ''), path })
      if (field === 'version') vendored = ''
      continue
    }
    const found = NODE_LINE.exec(line) ?? PYTHON_FILE.exec(line) ?? GEM_FILE.exec(line)
    const { scope, npm, python, gem, version = '' } = found?.groups ?? {}
    const path = line.slice(0, found?.groups?.['path']?.length ?? line.length)
    if (npm !== undefined) libraries.push({ type: 'npm', name: `${scope ?? ''}${npm}`, version, path })
    if (python !== undefined) libraries.push({ type: 'pypi', name: python, version, path })
    if (gem !== undefined) libraries.push({ type: 'gem', name: gem, version, path })
  }
  return libraries
}

const COMPOSER_LINE = /^(\/[^\n]{1,1000}?\/installed\.json): {8,12}"(name|version)": "([^"]+)"$/
const NODE_LINE =
  /^(?<path>\/[^\n]{0,1000}\/(?:node_modules|nodejs)\/(?<scope>@[^/]{1,214}\/)?(?<npm>[^/@]{1,214})\/package\.json):[^\n]{0,240}"version"\s{0,4}:\s{0,4}"(?<version>[^"]+)"$/
/** Installers write `_` for what separates names from versions. */
const PYTHON_FILE =
  /^(?=\/)[^\n]{0,1000}\/(?<python>[^/-]{1,200})-(?<version>\d[^/-]{0,80})(?:-py[\d.]+)?(?:-[\w.]+)?\.(?:dist|egg)-info(?:\/METADATA|\/PKG-INFO)?$/
/** Behind the version may stand the platform that it was built for. */
const GEM_FILE =
  /^(?=\/)[^\n]{0,1000}\/specifications\/(?:default\/)?(?<gem>[\w.-]{1,200}?)-(?<version>\d+\.[\dA-Za-z.]{1,60})(?:-[\w-]+)?\.gemspec$/

/** Of each jar the three lines of its Maven properties, in whatever order; there may be several in one. */
function jarsIn(lines: readonly string[]): Library[] {
  const libraries: Library[] = []
  let found = new Map<string, string>()
  let jar = ''
  for (const line of lines) {
    const [, path = '', field = '', value = ''] =
      /^(\/[^\t]+)\t(groupId|artifactId|version)=\s*(\S{1,200})\s*$/.exec(line) ?? []
    if (path === '') continue
    if (path !== jar || found.has(field)) found = new Map()
    jar = path
    found.set(field, value)
    const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map((it) => found.get(it))
    if (group === undefined || artifact === undefined || version === undefined) continue
    libraries.push({ type: 'maven', name: `${group}/${artifact}`, version, path })
  }
  return libraries
}

/** One for each library, version and owner, with some of the places where it lies. */
function itemsOf(libraries: readonly Library[], owners: ReadonlyMap<string, string>): InstalledSoftware[] {
  const items = new Map<string, InstalledSoftware & { readonly paths: string[] }>()
  for (const { type, path, ...it } of libraries) {
    const [name, version, place] = [
      word(it.name, NAME_LENGTH_MAX),
      word(it.version),
      word(path, PATH_LENGTH_MAX),
    ]
    if (name === undefined || version === undefined || place === undefined) continue
    const owner = owners.get(path) ?? owners.get(path.replace(/\/(?:METADATA|PKG-INFO)$/, ''))
    const purl = `pkg:${type}/${spelled(type, name)}@${encodeURIComponent(version)}`
    const key = `${purl} ${owner ?? ''}`
    const known = items.get(key)
    if (known) {
      if (known.paths.length < PATHS_MAX) known.paths.push(place)
      continue
    }
    if (items.size >= ITEMS_MAX) break
    const source = owner === undefined ? {} : { source: { name: owner } }
    items.set(key, {
      origin: 'library',
      name: type === 'maven' ? name.replace('/', ':') : name,
      version,
      purl,
      ...source,
      paths: [place],
    })
  }
  return [...items.values()]
}

const spelled = (type: Library['type'], name: string): string => {
  const own = type === 'pypi' ? name.toLowerCase().replaceAll(/[-_.]+/g, '-') : name
  return own.split('/').map(encodeURIComponent).join('/')
}
