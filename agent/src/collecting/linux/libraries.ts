import type { Machine } from '../machine.ts'
import { goModulesIn } from './go-build-info.ts'
import { mavenLibrariesIn } from './jar-files.ts'
import {
  composerPackagesIn,
  kindOf,
  namedIn,
  nodePackageIn,
  purlOf,
  type FileKind,
  type Library,
} from './library-files.ts'
import { ownersOf } from './library-owners.ts'
import type { Package } from './package-lists.ts'

/** Where distributions, installers and administrators put libraries; no folders of people. */
const FOLDERS: readonly (readonly [parent: string, names: RegExp])[] = [
  ['/usr/lib', /^(python.*|node_modules|ruby|jvm)$/],
  ['/usr/lib64', /^(python.*|gems)$/],
  ['/usr/share', /^(java|maven-repo|nodejs|gems|ruby|rubygems-integration|php|tomcat.*)$/],
  ['/var/lib', /^(gems|tomcat.*)$/],
  ['/var', /^www$/],
  ['/usr', /^local$/],
  ['/', /^(opt|srv|app)$/],
]

export interface LibraryLimits {
  readonly folders: number
  readonly files: number
  /** Of all libraries; a server takes no list that is much longer. */
  readonly libraries: number
  /** To look through folders, and as many again to look into files. */
  readonly milliseconds: number
}

const LIMITS: LibraryLimits = { folders: 40_000, files: 20_000, libraries: 20_000, milliseconds: 15_000 }
const DEPTH_MAX = 20
const PATHS_MAX = 5
const MANIFEST_BYTES_MAX = 262_144
const COMPOSER_BYTES_MAX = 8 * 1_048_576
const LEFT_OUT = new Set(['.git', '.cache', 'proc', 'sys', 'dev'])

/**
 * Libraries of languages by the files that installers leave, each with the package of the distribution that it belongs to,
 * if any. Nothing that they bring is run. Not complete: there is more than the limits allow to look at.
 */
export async function installedLibraries(
  machine: Machine,
  packages: readonly Package[],
  limits = LIMITS,
): Promise<{ readonly isComplete: boolean; readonly items: readonly Package[] }> {
  const found = await libraryFiles(machine, limits)
  const { files } = found
  const owners = await ownersOf(
    machine,
    files.map(({ path }) => path),
    packages,
  )
  const items = new Map<string, Package & { readonly paths: string[] }>()
  const until = performance.now() + limits.milliseconds
  let isComplete = found.isComplete
  for (const { path, kind } of files) {
    if (performance.now() > until) {
      isComplete = false
      break
    }
    for (const library of await librariesIn(machine, path, kind)) {
      const [purl, owner] = [purlOf(library), owners.get(path)]
      const key = `${purl} ${owner ?? ''}`
      const known = items.get(key)
      if (known && known.paths.length < PATHS_MAX && !known.paths.includes(path)) known.paths.push(path)
      if (!known && items.size >= limits.libraries) isComplete = false
      else if (!known) items.set(key, itemOf(library, { purl, owner, path }))
    }
  }
  return { isComplete, items: [...items.values()].map((it) => ({ ...it, paths: it.paths.toSorted() })) }
}

/** Changes with the folders in which most of it lies, and with the day: what lies deeper is looked for daily. */
export async function librariesStamp(machine: Machine): Promise<string> {
  const folders = await rootsOf(machine)
  const stamps = folders
    .flatMap((it) => [it, `${it}/dist-packages`, `${it}/site-packages`, `${it}/lib/node_modules`])
    .map((it) => machine.stamp(it) ?? '-')
  return [new Date().toISOString().slice(0, 10), ...stamps].join('\n')
}

const itemOf = (
  { type, name, version }: Library,
  { purl, owner, path }: { readonly purl: string; readonly owner: string | undefined; readonly path: string },
): Package & { readonly paths: string[] } => ({
  origin: 'library',
  name: type === 'maven' ? name.replace('/', ':') : name,
  version,
  purl,
  ...(owner !== undefined && { source: { name: owner } }),
  paths: [path],
})

async function librariesIn(machine: Machine, path: string, kind: FileKind): Promise<Library[]> {
  switch (kind) {
    case 'named':
      return namedIn(path)
    case 'node':
      return nodePackageIn(textOf(machine, path, MANIFEST_BYTES_MAX))
    case 'composer':
      return composerPackagesIn(textOf(machine, path, COMPOSER_BYTES_MAX))
    case 'jar':
      return mavenLibrariesIn(machine, path)
    case 'program':
      return goModulesIn(machine, path)
  }
}

/** Empty when it is longer, or went while the host was looked at. */
function textOf(machine: Machine, path: string, bytesMax: number): string {
  const size = machine.size(path)
  try {
    return size === undefined || size > bytesMax ? '' : machine.part(path, 0, size).toString('utf8')
  } catch {
    return ''
  }
}

interface Found {
  readonly files: readonly { readonly path: string; readonly kind: FileKind }[]
  readonly isComplete: boolean
}

/** Symbolic links are not followed: what they point to lies somewhere else as well. */
async function libraryFiles(machine: Machine, limits: LibraryLimits): Promise<Found> {
  const files: { path: string; kind: FileKind }[] = []
  const waiting = (await rootsOf(machine)).map((path) => ({ path, depth: 0 }))
  const until = performance.now() + limits.milliseconds
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen >= limits.folders || performance.now() > until) return { files, isComplete: false }
    const { path, depth } = waiting.pop() ?? { path: '', depth: DEPTH_MAX }
    for (const { name, isFolder } of machine.folder(path)) {
      const below = `${path}/${name}`
      if (isFolder && depth < DEPTH_MAX && !LEFT_OUT.has(name))
        waiting.push({ path: below, depth: depth + 1 })
      const kind = isFolder ? undefined : kindOf(below)
      if (kind === undefined) continue
      if (files.length >= limits.files) return { files, isComplete: false }
      files.push({ path: below, kind })
    }
  }
  return { files, isComplete: true }
}

async function rootsOf(machine: Machine): Promise<string[]> {
  return FOLDERS.flatMap(([parent, names]) =>
    machine
      .folder(parent)
      .filter(({ name, isFolder }) => isFolder && names.test(name))
      .map(({ name }) => `${parent === '/' ? '' : parent}/${name}`),
  )
}
