import type { InstalledSoftware, SoftwareOrigin } from '#features/assets/observation.ts'
import { linesOf, word } from '../terminal-text.ts'
import { librariesIn } from './read-libraries.ts'
import type { Section } from './script-output.ts'

type Sections = ReadonlyMap<string, Section>
type Reader = (text: string) => InstalledSoftware[]

const NAME_LENGTH_MAX = 512
/** More than any machine has; a host that sends more is not believed further. */
const ITEMS_MAX = 50_000

/** What is installed; an origin is complete if its listing ended, well and whole. */
export function packagesIn(sections: Sections): { complete: SoftwareOrigin[]; items: InstalledSoftware[] } {
  const complete: SoftwareOrigin[] = []
  const items: InstalledSoftware[] = []
  for (const [origin, read] of readers) {
    const section = sections.get(`packages-${origin}`)
    if (!section) continue
    const found = read(section.text).slice(0, ITEMS_MAX)
    for (const item of found) items.push(item)
    if (section.code === 0 && !section.isCut && found.length < ITEMS_MAX) complete.push(origin)
  }
  const libraries = librariesIn(sections.get('packages-library'), items)
  for (const item of libraries.items) items.push(item)
  if (libraries.isComplete) complete.push('library')
  return { complete, items }
}

/** One of a listing's lines; undefined where the line names nothing. */
function item(
  origin: SoftwareOrigin,
  name: string | undefined,
  version: string | undefined,
  rest: Omit<InstalledSoftware, 'origin' | 'name' | 'version'> = {},
): InstalledSoftware[] {
  const clean = word(name, NAME_LENGTH_MAX)
  return clean === undefined ? [] : [{ origin, name: clean, version: word(version) ?? '', ...rest }]
}

/** `(none)` is how rpm prints what is not there. */
function stated(text: string | undefined): string | undefined {
  const clean = word(text)
  return clean === '(none)' ? undefined : clean
}

const archOf = (text: string | undefined) => {
  const arch = stated(text)
  return arch === undefined ? {} : { arch }
}

/** The source package; its version only where it differs from the binary's. */
function sourceOf(name: string | undefined, version: string | undefined, binaryVersion: string | undefined) {
  const source = stated(name)
  if (source === undefined) return {}
  const own = stated(version)
  return { source: { name: source, ...(own !== undefined && own !== binaryVersion && { version: own }) } }
}

function timeOf(seconds: string | undefined) {
  const time = Number(seconds)
  const isTime = Number.isInteger(time) && time > 0 && time < 2 ** 40
  return isTime ? { installedAt: new Date(time * 1_000) } : {}
}

const tabbed = (text: string, one: (fields: readonly string[]) => InstalledSoftware[]) =>
  linesOf(text).flatMap((line) => one(line.split('\t', 12).map((field) => field.trim())))

/** The second letter says what is there: installed, or not quite but unpacked; `c` is configuration that was left. */
const dpkg: Reader = (text) =>
  tabbed(text, ([status = '', name, version, arch, source, sourceVersion]) =>
    /^.[iUFHWt]/.test(status)
      ? item('dpkg', name, version, { ...archOf(arch), ...sourceOf(source, sourceVersion, version) })
      : [],
  )

/** rpm lists signature keys as packages; they are skipped. */
const rpm: Reader = (text) =>
  tabbed(text, ([name, epoch, release, arch, source, installed, vendor]) => {
    if (name === 'gpg-pubkey' || release === undefined) return []
    const version = `${stated(epoch) ?? '0'}:${release}`
    const [sourceName, sourceRelease] = sourceRpm(source ?? '')
    const maker = stated(vendor)
    return item('rpm', name, version, {
      ...archOf(arch),
      ...sourceOf(sourceName, sourceRelease, release),
      ...timeOf(installed),
      ...(maker !== undefined && { vendor: maker }),
    })
  })

/** `name-version-release.src.rpm`, whose name may have dashes. */
function sourceRpm(file: string): readonly string[] {
  const stem = file.replace(/\.(?:no)?src\.rpm$/, '')
  const release = stem.lastIndexOf('-')
  const version = release > 0 ? stem.lastIndexOf('-', release - 1) : -1
  return stem === file || version <= 0 ? [] : [stem.slice(0, version), stem.slice(version + 1)]
}

const apk: Reader = (text) =>
  text.split(/\r?\n\r?\n/).flatMap((block) => {
    const fields = new Map(linesOf(block).map((line) => [line.slice(0, 2), line.slice(2)]))
    const version = fields.get('V:')
    return item('apk', fields.get('P:'), version, {
      ...archOf(fields.get('A:')),
      ...sourceOf(fields.get('o:'), undefined, version),
      ...timeOf(fields.get('t:')),
    })
  })

/** `%KEY%` and its value on the next line; `%NAME%` begins a package. */
const pacman: Reader = (text) => {
  const packages: Map<string, string>[] = []
  let key: string | undefined
  for (const line of linesOf(text)) {
    if (/^%[A-Z]{1,20}%$/.test(line)) {
      key = line
      if (line === '%NAME%') packages.push(new Map())
    } else if (key !== undefined) {
      packages.at(-1)?.set(key, line)
      key = undefined
    }
  }
  return packages.flatMap((it) => {
    const version = it.get('%VERSION%')
    return item('pacman', it.get('%NAME%'), version, {
      ...archOf(it.get('%ARCH%')),
      ...sourceOf(it.get('%BASE%'), undefined, version),
      ...timeOf(it.get('%INSTALLDATE%')),
    })
  })
}

/** `/opt/homebrew/Cellar/openssl@3/3.2.1`: formula and version are the last two. */
const brew: Reader = (text) =>
  linesOf(text).flatMap((line) => {
    const [name, version] = line.split('/').slice(-2)
    return name?.startsWith('.') || version?.startsWith('.') ? [] : item('brew', name, version)
  })

/** Name, version, revision, channel, publisher; the first line are titles. */
const snap: Reader = (text) =>
  linesOf(text)
    .slice(1)
    .flatMap((line) => {
      const [name, version, , , publisher] = line.trim().split(/\s+/, 6)
      const maker = word(publisher?.replace(/[*✓✪]/gu, ''))
      return item('snap', name, version, { ...(maker !== undefined && maker !== '-' && { vendor: maker }) })
    })

const flatpak: Reader = (text) =>
  tabbed(text, ([name, version, arch]) =>
    name === 'Application ID' || !name?.includes('.') ? [] : item('flatpak', name, version, archOf(arch)),
  )

/** FreeBSD's fields by tabs; OpenBSD's and NetBSD's `name-version  comment`. */
const pkg: Reader = (text) =>
  linesOf(text).flatMap((line) => {
    if (line.includes('\t')) {
      const [name, version, abi, port, time] = line.split('\t')
      return item('pkg', name, version, {
        ...archOf(abi),
        ...sourceOf(port, undefined, version),
        ...timeOf(time),
      })
    }
    const word = line.trim().split(/\s/, 1)[0] ?? ''
    const at = lastVersion(word)
    return at > 0 ? item('pkg', word.slice(0, at), word.slice(at + 1)) : []
  })

/** Where the last dash is that a digit follows: names have dashes too, and so have flavours. */
function lastVersion(word: string): number {
  let at = word.lastIndexOf('-')
  while (at > 0 && !/\d/.test(word[at + 1] ?? '')) at = word.lastIndexOf('-', at - 1)
  return at
}

const macos: Reader = (text) =>
  tabbed(text, ([path = '', version]) =>
    path.endsWith('.app') ? item('macos', path.slice(path.lastIndexOf('/') + 1, -4), version) : [],
  )

const readers: readonly (readonly [SoftwareOrigin, Reader])[] = [
  ['dpkg', dpkg],
  ['rpm', rpm],
  ['apk', apk],
  ['pacman', pacman],
  ['brew', brew],
  ['snap', snap],
  ['flatpak', flatpak],
  ['pkg', pkg],
  ['macos', macos],
]
