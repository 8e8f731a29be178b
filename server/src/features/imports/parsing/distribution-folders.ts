import type { InstalledSoftware } from '#features/assets/observation.ts'
import type * as software from '#features/software/software.ts'

/**
 * Libraries by the folder that their files lie in: into some only packages of the distribution write, whatever other
 * installers are there. `pip` keeps out of `dist-packages` below `/usr/lib` on Debian, and out of `site-packages` below
 * `/usr/lib` on Red Hat and its kin.
 */

type Manager = 'deb' | 'rpm'

const FOLDERS: readonly (readonly [RegExp, readonly Manager[]])[] = [
  [/^\/?usr\/lib\/python[\d.]*\/dist-packages\//, ['deb']],
  [/^\/?usr\/lib(?:64)?\/python[\d.]+\/site-packages\//, ['rpm']],
  [/^\/?usr\/share\/(?:java|maven|maven-poms|maven-repo|maven-metadata)\//, ['deb', 'rpm']],
  [/^\/?usr\/share\/(?:gems|rubygems-integration|ruby|nodejs|php|javascript)\//, ['deb', 'rpm']],
  [/^\/?usr\/lib(?:64)?\/ruby\/vendor_ruby\//, ['deb']],
  [/^\/?usr\/lib\/(?:64)?jvm\//, ['deb', 'rpm']],
]

/** Distributions of RPM whose `pip` writes into the folder of the distribution. */
const SHARED = new Set(['sles', 'suse', 'opensuse', 'opensuse-leap', 'opensuse-tumbleweed', 'amzn', 'mageia'])

const managersOf = (path: string): readonly Manager[] =>
  FOLDERS.find(([folder]) => folder.test(path))?.[1] ?? []

/**
 * Package URLs of what a distribution installed say so with `distro`, as those of its own packages do; `paths` has, by
 * the place in the list, where the files of a library lie.
 */
export function markShipped(
  items: readonly InstalledSoftware[],
  paths: ReadonlyMap<number, readonly string[]>,
  { parsePurl, formatPurl }: Pick<typeof software, 'parsePurl' | 'formatPurl'>,
): InstalledSoftware[] {
  if (paths.size === 0) return [...items]
  const system = systemIn(items, parsePurl)
  return items.map((item, at) => {
    const files = paths.get(at) ?? []
    const purl = item.purl === undefined ? undefined : parsePurl(item.purl)
    const isShipped =
      system !== undefined &&
      files.length > 0 &&
      files.every((path) => managersOf(path).includes(system.manager) && !isShared(system.distro, path))
    if (!isShipped || !purl || purl.qualifiers.has('distro')) return item
    return {
      ...item,
      purl: formatPurl({ ...purl, qualifiers: new Map([...purl.qualifiers, ['distro', system.distro]]) }),
    }
  })
}

const isShared = (distro: string, path: string): boolean =>
  path.includes('/site-packages/') && SHARED.has(distro.replace(/-[\d.]+$/, ''))

function systemIn(
  items: readonly InstalledSoftware[],
  parsePurl: (typeof software)['parsePurl'],
): { readonly manager: Manager; readonly distro: string } | undefined {
  for (const { purl } of items) {
    if (!purl?.startsWith('pkg:deb/') && !purl?.startsWith('pkg:rpm/')) continue
    const read = parsePurl(purl)
    if (!read) continue
    return {
      manager: read.type as Manager,
      distro: read.qualifiers.get('distro') ?? (read.namespace || read.type),
    }
  }
  return undefined
}
