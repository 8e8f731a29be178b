import type { Machine } from '../machine.ts'
import type { Package } from './package-lists.ts'

/** The package of the distribution that each of the files belongs to, by path. Throws when that could not be read. */
export async function ownersOf(
  machine: Machine,
  paths: readonly string[],
  packages: readonly Package[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(paths.flatMap((path) => spellingsOf(path).map((it) => [it, path] as const)))
  const owners = new Map<string, string>()
  const origins = new Set(packages.map(({ origin }) => origin))
  const add = (owner: string, file: string): void => {
    const path = wanted.get(file)
    if (path !== undefined) owners.set(path, owner)
  }
  if (origins.has('dpkg')) await ofDpkg(machine, add)
  else if (origins.has('rpm')) await ofRpm(machine, paths, { packages, add })
  else if (origins.has('apk')) await ofApk(machine, add)
  else if (origins.has('pacman')) await ofPacman(machine, add)
  for (const path of owners.keys()) if (isOfOthers(path, origins.has('dpkg'))) owners.delete(path)
  return owners
}

type Add = (owner: string, path: string) => void

/** Since /lib and /usr/lib are one folder, packages name either; and some their folder alone. */
const spellingsOf = (path: string): string[] => {
  const all = [path, path.replace(/\/(?:METADATA|PKG-INFO)$/, '')]
  return [...new Set([...all, ...all.map((it) => it.replace(/^\/usr(?=\/lib(?:64)?\/)/, ''))])]
}

/** Where no distribution puts files, whatever a package of somebody else does; Debian's Node.js has another folder. */
const isOfOthers = (path: string, isDebian: boolean): boolean =>
  /^\/(?:opt|srv|app|usr\/local|var\/www)\//.test(path) ||
  (isDebian && path.startsWith('/usr/lib/node_modules/'))

async function ofDpkg(machine: Machine, add: Add): Promise<void> {
  const folder = '/var/lib/dpkg/info'
  for (const name of await machine.list(folder)) {
    if (!name.endsWith('.list')) continue
    const owner = name.replace(/(?::[^:]+)?\.list$/, '')
    for (const path of ((await machine.read(`${folder}/${name}`)) ?? '').split('\n')) add(owner, path)
  }
}

async function ofApk(machine: Machine, add: Add): Promise<void> {
  const text =
    (await machine.read('/lib/apk/db/installed')) ?? (await machine.read('/usr/lib/apk/db/installed')) ?? ''
  let [owner, folder] = ['', '']
  for (const line of text.split('\n')) {
    const value = line.slice(2)
    if (line.startsWith('P:')) owner = value
    if (line.startsWith('F:')) folder = value
    if (line.startsWith('R:')) add(owner, `/${folder}/${value}`)
  }
}

async function ofPacman(machine: Machine, add: Add): Promise<void> {
  const folder = '/var/lib/pacman/local'
  for (const name of await machine.list(folder)) {
    const owner = name.replace(/-[^-]+-[^-]+$/, '')
    for (const path of ((await machine.read(`${folder}/${name}/files`)) ?? '').split('\n'))
      add(owner, `/${path}`)
  }
}

const PATHS_AT_ONCE = 200
const UNOWNED = ' is not owned by any package'

/**
 * `rpm -qf` answers a line for each file, or several where packages share it: then those of half the files are asked. What
 * another maker than that of the system built is not the distribution's.
 */
async function ofRpm(
  machine: Machine,
  paths: readonly string[],
  { packages, add }: { readonly packages: readonly Package[]; readonly add: Add },
): Promise<void> {
  const system = packages.find(({ name }) => name === 'glibc')?.vendor
  const ask = async (some: readonly string[]): Promise<void> => {
    const text = await machine.run('rpm', ['-qf', '--qf', '%{NAME}\\t%{VENDOR}\\n', ...some], true)
    if (text === undefined) throw new Error('there is an RPM database, but no program rpm')
    const lines = text.split('\n').filter((it) => it.includes('\t') || it.endsWith(UNOWNED))
    const middle = Math.ceil(some.length / 2)
    if (lines.length !== some.length && some.length > 1) {
      await ask(some.slice(0, middle))
      await ask(some.slice(middle))
      return
    }
    some.forEach((path, at) => {
      const [owner, vendor] = lines[at]?.split('\t') ?? []
      if (owner !== undefined && vendor !== undefined && (system === undefined || vendor === system))
        add(owner, path)
    })
  }
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE)
    await ask(paths.slice(from, from + PATHS_AT_ONCE))
}
