import type { Json } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { installedLibraries, librariesStamp } from './libraries.ts'
import { apkPackages, dpkgPackages, pacmanPackages, rpmPackages, type Package } from './package-lists.ts'

const RPM_FORMAT =
  '%{NAME}\\t%|EPOCH?{%{EPOCH}}:{0}|:%{VERSION}-%{RELEASE}\\t%{ARCH}\\t%{VENDOR}\\t%{SOURCERPM}\\t%{INSTALLTIME}\\n'

/**
 * `{complete, items}`: packages as their managers list them, and the managers whose list was read to its end. Throws when
 * one of them could not be read: half a list would remove the other half.
 */
export async function installedSoftware(machine: Machine): Promise<Json> {
  const lists = await Promise.all([
    dpkg(machine),
    rpm(machine),
    apk(machine),
    pacman(machine),
    snaps(machine),
    flatpaks(machine),
  ])
  const packages = lists.flatMap((it) => it ?? [])
  // without the owners of their files nothing is said of libraries, and what was known of them stays
  const libraries = await installedLibraries(machine, packages).catch(() => NO_LIBRARIES)
  const items = [...packages, ...libraries.items]
  const origins = ['dpkg', 'rpm', 'apk', 'pacman', 'snap', 'flatpak']
  const complete = [
    ...origins.filter((_, at) => lists[at] !== undefined),
    ...(libraries.isComplete ? ['library'] : []),
  ]
  const order = ({ origin, name, arch = '', version, purl = '', source }: Package): string =>
    [origin, name, arch, version, purl, source?.name].join('\0')
  return {
    complete,
    items: items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).map((it) => ({ ...it })),
  }
}

const NO_LIBRARIES = { isComplete: false, items: [] }

/** Package managers replace these files, or write into them, whenever something is installed or removed. */
const DATABASES = [
  '/var/lib/dpkg/status',
  '/var/lib/dpkg/status.d',
  ...['/var/lib/rpm', '/usr/lib/sysimage/rpm'].flatMap((folder) =>
    ['rpmdb.sqlite', 'rpmdb.sqlite-wal', 'Packages.db', 'Packages'].map((it) => `${folder}/${it}`),
  ),
  '/lib/apk/db/installed',
  '/usr/lib/apk/db/installed',
  '/var/lib/pacman/local',
  '/snap',
  '/var/lib/flatpak/app',
  '/var/lib/flatpak/.changed',
]

export async function softwareStamp(machine: Machine): Promise<string> {
  const snaps = (await machine.list('/snap')).map((it) => `/snap/${it}/current`)
  const stamps = [...DATABASES, ...snaps].map((path) => machine.stamp(path) ?? '-')
  return [...stamps, await librariesStamp(machine)].join('\n')
}

type PackageList = Promise<readonly Package[] | undefined>

/** Distributions without package manager in the image list theirs below status.d. */
async function dpkg(machine: Machine): PackageList {
  const status = await machine.read('/var/lib/dpkg/status')
  const names = (await machine.list('/var/lib/dpkg/status.d')).filter((it) => !it.endsWith('.md5sums'))
  const parts = await Promise.all(names.map((it) => machine.read(`/var/lib/dpkg/status.d/${it}`)))
  if (status === undefined && names.length === 0) return undefined
  return dpkgPackages([status ?? '', ...parts.map((it) => it ?? '')].join('\n\n'))
}

/** The database has three formats, one of them Berkeley's, so its own program is asked. */
async function rpm(machine: Machine): PackageList {
  const folders = ['/var/lib/rpm', '/usr/lib/sysimage/rpm']
  const files = await Promise.all(folders.map((it) => machine.list(it)))
  if (!files.flat().some((it) => /^(rpmdb\.sqlite|Packages(\.db)?)$/.test(it))) return undefined
  const text = await machine.run('rpm', ['-qa', '--queryformat', RPM_FORMAT])
  if (text === undefined) throw new Error('there is an RPM database, but no program rpm')
  return rpmPackages(text)
}

async function apk(machine: Machine): PackageList {
  const installed =
    (await machine.read('/lib/apk/db/installed')) ?? (await machine.read('/usr/lib/apk/db/installed'))
  return installed === undefined ? undefined : apkPackages(installed)
}

async function pacman(machine: Machine): PackageList {
  const folder = '/var/lib/pacman/local'
  const names = (await machine.list(folder)).filter((it) => it !== 'ALPM_DB_VERSION')
  if (names.length === 0) return undefined
  const texts = await Promise.all(names.map((it) => machine.read(`${folder}/${it}/desc`)))
  return pacmanPackages(texts.map((it) => it ?? ''))
}

/** `current` of each snap points to the revision that runs; its version stands in meta/snap.yaml. */
async function snaps(machine: Machine): PackageList {
  const names = (await machine.list('/snap')).filter((it) => it !== 'bin' && it !== 'README')
  if (names.length === 0) return undefined
  const found = await Promise.all(
    names.map(async (name): Promise<Package[]> => {
      const yaml = await machine.read(`/snap/${name}/current/meta/snap.yaml`)
      const version = /^version:\s*['"]?([^'"\n]+)/m.exec(yaml ?? '')?.[1]?.trim()
      return version === undefined ? [] : [{ origin: 'snap', name, version }]
    }),
  )
  return found.flat()
}

/** Applications by id. Their versions stand in metadata that each publisher writes or leaves out. */
async function flatpaks(machine: Machine): PackageList {
  const folder = '/var/lib/flatpak/app'
  const names = await machine.list(folder)
  if (names.length === 0) return undefined
  const found = await Promise.all(
    names.map(async (name): Promise<Package> => {
      const path = `${folder}/${name}/current/active/files/share/metainfo/${name}.metainfo.xml`
      const version = /<release\b[^>]*\bversion="([^"]+)"/.exec((await machine.read(path)) ?? '')?.[1] ?? ''
      return { origin: 'flatpak', name, version }
    }),
  )
  return found
}
