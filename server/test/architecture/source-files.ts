import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * Source files as text: paths below `server/` (`src/features/assets/store.ts`), those of the app as `web/src/…`, those of
 * the agent as `agent/src/…`.
 */
export type Files = ReadonlyMap<string, string>

/** An architecture rule. `check` returns its violations, each naming the file at fault. */
export interface Rule {
  readonly name: string
  readonly check: (files: Files) => string[]
  /** Files that break it, to see it fail. */
  readonly offence: Readonly<Record<string, string>>
}

export interface Import {
  readonly from: string
  /** A path as in `Files`, or the name of a package. */
  readonly to: string
  readonly raw: string
  readonly isType: boolean
  readonly names: string
}

const SERVER = join(import.meta.dirname, '../..')
const REPOSITORY = join(SERVER, '..')
/** oxfmt fixes the quotes, so this finds every import. */
const IMPORT = /^(?:import|export) (type )?([^'"]*?) from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm

export const readServer = (): Files => readFolders(SERVER, ['src', 'migrations'])

export const readApp = (): Files => readFolders(REPOSITORY, ['web/src'])

export const readAgent = (): Files => readFolders(REPOSITORY, ['agent/src'])

function readFolders(root: string, folders: readonly string[]): Files {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => join(it.parentPath, it.name)),
  )
  return new Map(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]))
}

export const isTest = (path: string): boolean => /\.(test|fixture)\.tsx?$/.test(path)
export const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !isTest(path)

/** Code, not tests. */
export const codeOf = (files: Files): [string, string][] => [...files].filter(([path]) => isCode(path))

/** The folder's name, for a path below `src/features/`. */
export const roomOf = (path: string): string | undefined => /^src\/features\/([^/]+)\//.exec(path)?.[1]

export const isStore = (path: string): boolean =>
  /^src\/features\/[^/]+\/(?:[a-z-]+\/)*([a-z-]+-)?store\.ts$/.test(path)

export function importsOf(files: Files): Import[] {
  return codeOf(files).flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map((match) => {
      const raw = match[3] ?? match[4] ?? match[5] ?? ''
      return { from, to: resolve(from, raw), raw, isType: match[1] !== undefined, names: match[2] ?? '' }
    }),
  )
}

function resolve(from: string, raw: string): string {
  if (raw.startsWith('.')) return posix.join(dirname(from), raw)
  if (from.startsWith('web/')) return raw.replace(/^#(api|features|lib|ui)\//, 'web/src/$1/')
  return raw.replace(/^#(platform|features)\//, 'src/$1/').replace(/^#test\//, 'test/')
}

/** Features in the order of `app.ts`, by folder. */
export function orderOf(files: Files): string[] {
  const text = files.get('src/app.ts') ?? ''
  const folders = new Map(
    [...text.matchAll(/import \{ (\w+) \} from '#features\/([^/]+)\/feature\.ts'/g)].map((it) => [
      it[1],
      it[2],
    ]),
  )
  const list = /features: readonly Feature\[\] = \[([^\]]*)\]/.exec(text)?.[1] ?? ''
  return [...list.matchAll(/\w+/g)].flatMap(([name]) => folders.get(name) ?? [])
}

export const roomsOf = (files: Files): string[] => [
  ...new Set([...files.keys()].flatMap((path) => roomOf(path) ?? [])),
]

/** Tables by the feature that declares them in its `feature.ts`. */
export function declaredTables(files: Files): Map<string, string[]> {
  return new Map(
    roomsOf(files).map((room) => {
      const text = files.get(`src/features/${room}/feature.ts`) ?? ''
      const list = /tables: \{([^}]*)\}/.exec(text)?.[1] ?? ''
      return [room, [...list.matchAll(/(\w+): '/g)].map((it) => it[1] ?? '')]
    }),
  )
}
