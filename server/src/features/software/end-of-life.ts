import type { OsRelease } from '#features/assets/observation.ts'
import { parseCpe } from './identifiers/cpe.ts'
import type { Entry } from './inventory/software-entry.ts'
import { systemCpe } from './identifiers/ecosystems.ts'
import { parsePurl } from './identifiers/purl.ts'

/** Maintenance periods of a product's releases, from endoflife.date. */
export interface ProductLifecycle {
  /** `ubuntu`, `python` */
  readonly product: string
  readonly label: string
  /** CPE names and package URLs, both without version. */
  readonly identifiers: readonly { readonly kind: string; readonly id: string }[]
  readonly releases: readonly ReleaseLifecycle[]
}

export interface ReleaseLifecycle {
  /** Prefix of the versions that belong to the release, such as `22.04` or `3.12`. */
  readonly cycle: string
  readonly label: string
  /** `YYYY-MM-DD`, as the next field; absent while no date is set or only the fact is known. */
  readonly endsOn?: string
  /** Whether support has ended, where no date is given. */
  readonly isEnded?: boolean
  readonly extendedUntil?: string
  readonly latest?: string
}

export interface Lifecycles {
  readonly named: (product: string) => ProductLifecycle | undefined
  /** By `part:vendor:product` of a CPE, or by package URL without version. */
  readonly identified: (identifier: string) => ProductLifecycle | undefined
}

export interface EndOfLife {
  readonly product: string
  readonly label: string
  readonly cycle: string
  readonly endsOn: string | undefined
  readonly extendedUntil: string | undefined
  readonly latest: string | undefined
  /** Public support has ended; paid support may continue until `extendedUntil`. */
  readonly isEnded: boolean
}

export function lifecyclesOf(list: readonly ProductLifecycle[]): Lifecycles {
  const names = new Map(list.map((each) => [each.product, each]))
  const identifiers = new Map<string, ProductLifecycle>()
  for (const each of list) {
    for (const { kind, id } of each.identifiers) {
      const key = kind === 'cpe' ? cpeKey(id) : kind === 'purl' ? purlKey(id) : undefined
      if (key !== undefined && !identifiers.has(key)) identifiers.set(key, each)
    }
  }
  return { named: (product) => names.get(product), identified: (id) => identifiers.get(id) }
}

type Asked = Pick<Entry, 'origin' | 'name' | 'version' | 'purl' | 'cpe'> & {
  readonly vendorKey: string
  readonly productKey: string
}

/**
 * The end of life of software as of a day (`YYYY-MM-DD`); undefined where it is not known. Packages of a distribution
 * are maintained by the distribution, so they have no end of life of their own.
 */
export function endOfLife(lifecycles: Lifecycles, software: Asked, on: string): EndOfLife | undefined {
  if (ofDistributions.has(software.origin)) return undefined
  const found = productOf(lifecycles, software)
  return found && endOfRelease(found, [software.version], on)
}

/** The end of life of an operating system as of a day (`YYYY-MM-DD`); undefined where it is not known. */
export function endOfSystem(lifecycles: Lifecycles, release: OsRelease, on: string): EndOfLife | undefined {
  const { product, cycles } = systemIn(release)
  const found = product === undefined ? undefined : lifecycles.named(product)
  return found && endOfRelease(found, cycles, on)
}

const ofDistributions: ReadonlySet<string> = new Set(['dpkg', 'rpm', 'apk', 'pacman', 'hotfix', 'os'])

function productOf(
  lifecycles: Lifecycles,
  { purl, cpe, vendorKey, productKey }: Asked,
): ProductLifecycle | undefined {
  const keys = [purl === '' ? undefined : purlKey(purl), cpe === '' ? undefined : cpeKey(cpe)]
  if (vendorKey !== '' && productKey !== '') keys.push(`a:${vendorKey}:${productKey}`)
  for (const key of keys) {
    const found = key === undefined ? undefined : lifecycles.identified(key)
    if (found) return found
  }
  return undefined
}

function cpeKey(text: string): string | undefined {
  const cpe = parseCpe(text.startsWith('cpe:2.3:') ? completed(text) : text)
  return cpe && `${cpe.part}:${cpe.vendor}:${cpe.product}`
}

const CPE_FIELDS = 11

/** Adds the missing fields behind the product, which endoflife.date omits. */
function completed(text: string): string {
  const missing = CPE_FIELDS - text.slice('cpe:2.3:'.length).split(/(?<!\\):/).length
  return missing > 0 ? `${text}${':*'.repeat(missing)}` : text
}

function purlKey(text: string): string | undefined {
  const purl = parsePurl(text)
  return purl && `pkg:${purl.type}/${purl.namespace}/${purl.name}`
}

/** The release with the longest cycle that is a prefix of one of the versions. */
function endOfRelease(
  { product, label, releases }: ProductLifecycle,
  versions: readonly string[],
  on: string,
): EndOfLife | undefined {
  const fitting = versions.flatMap((version) => releases.filter(({ cycle }) => belongs(version, cycle)))
  const [found] = fitting.toSorted((a, b) => b.cycle.length - a.cycle.length)
  if (!found) return undefined
  const { cycle, endsOn, extendedUntil, latest } = found
  const isEnded = endsOn === undefined ? (found.isEnded ?? false) : endsOn < on
  return { product, label, cycle, endsOn, extendedUntil, latest, isEnded }
}

function belongs(version: string, cycle: string): boolean {
  const plain = version.replace(/^v(?=\d)/, '')
  return plain === cycle || (plain.startsWith(cycle) && /[.\-+_ ]/.test(plain.charAt(cycle.length)))
}

/** Product name at endoflife.date, and the cycles that may match. */
function systemIn(release: OsRelease): {
  readonly product: string | undefined
  readonly cycles: readonly string[]
} {
  const { id, versionId, prettyName = '' } = release
  if (id === 'windows') return windowsIn(release)
  if (id === 'centos' && /stream/i.test(prettyName)) return { product: 'centos-stream', cycles: [versionId] }
  return { product: systems.get(id), cycles: [versionId] }
}

function windowsIn(release: OsRelease): {
  readonly product: string | undefined
  readonly cycles: readonly string[]
} {
  const name = parseCpe(systemCpe(release))?.product ?? ''
  const server = /^windows_server_(.+)$/.exec(name)?.[1]
  if (server !== undefined) return { product: 'windows-server', cycles: [server.replaceAll('_', '-')] }
  const client = name.replace(/^windows_/, '').replaceAll('_', '-')
  const { prettyName = '' } = release
  const isOfFirms = /enterprise|education/i.test(prettyName)
  const edition = /iot/i.test(prettyName)
    ? 'iot-lts'
    : /ltsc|ltsb/i.test(prettyName)
      ? 'e-lts'
      : isOfFirms
        ? 'e'
        : 'w'
  return { product: 'windows', cycles: client === '' ? [] : [`${client}-${edition}`, client] }
}

const systems = new Map([
  ['debian', 'debian'],
  ['raspbian', 'debian'],
  ['ubuntu', 'ubuntu'],
  ['linuxmint', 'linuxmint'],
  ['alpine', 'alpine-linux'],
  ['rhel', 'rhel'],
  ['centos', 'centos'],
  ['rocky', 'rocky-linux'],
  ['almalinux', 'almalinux'],
  ['ol', 'oracle-linux'],
  ['fedora', 'fedora'],
  ['amzn', 'amazon-linux'],
  ['sles', 'sles'],
  ['opensuse-leap', 'opensuse'],
  ['mageia', 'mageia'],
  ['photon', 'vmware-photon'],
  ['nixos', 'nixos'],
  ['slackware', 'slackware'],
  ['macos', 'macos'],
  ['freebsd', 'freebsd'],
  ['openbsd', 'openbsd'],
  ['netbsd', 'netbsd'],
  ['esxi', 'vmware-esxi'],
  ['routeros', 'routeros'],
])
