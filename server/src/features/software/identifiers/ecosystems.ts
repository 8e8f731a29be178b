import type { InstalledSoftware, OsRelease, SoftwareOrigin } from '#features/assets/observation.ts'
import { parsePurl, type Purl } from './purl.ts'

/** The OSV ecosystem of a package: `Debian:12`, `Red Hat:8`, `PyPI`. Empty: not known. */
export function ecosystemOf(
  { origin, purl }: Pick<InstalledSoftware, 'origin' | 'purl'>,
  release: OsRelease | undefined,
): string {
  if (ofTheSystem.has(origin)) return release ? ecosystemOfRelease(release) : ''
  const read = purl === undefined ? undefined : parsePurl(purl)
  return read ? ecosystemOfPurl(read) : ''
}

const ofTheSystem: ReadonlySet<SoftwareOrigin> = new Set<SoftwareOrigin>(['dpkg', 'rpm', 'apk', 'pacman'])

/** The ecosystem of the packages of a distribution's release. */
export function ecosystemOfRelease({ id, versionId }: Pick<OsRelease, 'id' | 'versionId'>): string {
  const [major = '', minor = ''] = versionId.split('.')
  if (major === '' && !ROLLING.has(id)) return ''
  switch (id) {
    case 'debian':
    case 'raspbian':
      return `Debian:${major}`
    case 'ubuntu':
      return `Ubuntu:${major}.${minor || '04'}`
    case 'alpine':
      return minor === '' ? '' : `Alpine:v${major}.${minor}`
    case 'sles':
    case 'sles_sap':
    case 'sled':
      return `SUSE:Linux Enterprise ${id === 'sled' ? 'Desktop' : 'Server'} ${major}${minor && minor !== '0' ? ` SP${minor}` : ''}`
    case 'opensuse-leap':
      return `openSUSE:Leap ${major}.${minor}`
    default:
      return byId.get(id)?.(major) ?? ''
  }
}

const ROLLING = new Set(['arch', 'opensuse-tumbleweed', 'wolfi', 'chainguard', 'kali'])

const byId = new Map<string, (major: string) => string>([
  ['rhel', (major) => `Red Hat:${major}`],
  // rebuilt from the same sources, under the same versions
  ['centos', (major) => `Red Hat:${major}`],
  ['rocky', (major) => `Rocky Linux:${major}`],
  ['almalinux', (major) => `AlmaLinux:${major}`],
  ['ol', (major) => `Oracle Linux:${major}`],
  ['fedora', (major) => `Fedora:${major}`],
  ['amzn', (major) => `Amazon Linux:${major}`],
  ['mageia', (major) => `Mageia:${major}`],
  ['photon', (major) => `Photon OS:${major}`],
  ['azurelinux', (major) => `Azure Linux:${major}`],
  ['mariner', (major) => `Azure Linux:${major}`],
  ['opensuse-tumbleweed', () => 'openSUSE:Tumbleweed'],
  ['arch', () => 'Arch'],
  ['wolfi', () => 'Wolfi'],
  ['chainguard', () => 'Chainguard'],
])

/** The ecosystem given by a package URL. */
export function ecosystemOfPurl(purl: Purl): string {
  const named = byType.get(purl.type)
  if (named !== undefined) return named
  return ['deb', 'rpm', 'apk', 'alpm'].includes(purl.type) ? distributionOfPurl(purl) : ''
}

/** That of the distribution which built or installed it, as `distro` says. */
export function distributionOfPurl({ namespace, qualifiers }: Purl): string {
  const distro = qualifiers.get('distro') ?? ''
  const [, id = namespace, versionId = ''] = /^([a-z_-]*[a-z])-?v?([0-9][0-9.]*)?$/i.exec(distro) ?? []
  const release = {
    id: (idsOf.get(id) ?? id).toLowerCase(),
    versionId: versionId || (codenames.get(distro) ?? ''),
  }
  return ecosystemOfRelease(codenames.has(distro) ? { ...release, id: namespace } : release)
}

/**
 * Distributions whose feeds list what they have fixed, and not what is open: that they do not speak of a vulnerability
 * does not mean that there is none.
 */
export const listsFixesOnly = (ecosystem: string): boolean =>
  /^(?:Alpine:v|Wolfi$|Chainguard$)/.test(ecosystem)

const byType = new Map([
  ['pypi', 'PyPI'],
  ['npm', 'npm'],
  ['maven', 'Maven'],
  ['golang', 'Go'],
  ['cargo', 'crates.io'],
  ['nuget', 'NuGet'],
  ['composer', 'Packagist'],
  ['gem', 'RubyGems'],
  ['hex', 'Hex'],
  ['pub', 'Pub'],
  ['cran', 'CRAN'],
  ['hackage', 'Hackage'],
  ['swift', 'SwiftURL'],
  ['conan', 'ConanCenter'],
  ['bitnami', 'Bitnami'],
  ['githubactions', 'GitHub Actions'],
])

/** Ids in os-release that package URLs spell differently. */
const idsOf = new Map([
  ['redhat', 'rhel'],
  ['el', 'rhel'],
  ['rockylinux', 'rocky'],
  ['alma', 'almalinux'],
  ['oraclelinux', 'ol'],
  ['amazonlinux', 'amzn'],
  ['amazon', 'amzn'],
  ['suse', 'sles'],
  ['opensuse', 'opensuse-leap'],
])

const codenames = new Map([
  ['stretch', '9'],
  ['buster', '10'],
  ['bullseye', '11'],
  ['bookworm', '12'],
  ['trixie', '13'],
  ['forky', '14'],
  ['bionic', '18.04'],
  ['focal', '20.04'],
  ['jammy', '22.04'],
  ['noble', '24.04'],
])

/**
 * The CPE of the operating system as software; `name` and `version` come from os-release. Empty where the vendor has
 * no CPE for it.
 */
export function systemCpe({ id, versionId, prettyName = '' }: OsRelease): string {
  const product = id === 'windows' ? windowsProduct(prettyName, versionId) : systems.get(id)
  return product === undefined || versionId === ''
    ? ''
    : `cpe:2.3:o:${product}:${versionId.replaceAll(/[^\w.-]/g, '_')}:*:*:*:*:*:*:*`
}

const systems = new Map([
  ['macos', 'apple:macos'],
  ['freebsd', 'freebsd:freebsd'],
  ['openbsd', 'openbsd:openbsd'],
  ['netbsd', 'netbsd:netbsd'],
  ['esxi', 'vmware:esxi'],
])

/** NVD names Windows releases by marketing version; the build is their version. */
function windowsProduct(prettyName: string, versionId: string): string | undefined {
  const server = /server (20\d\d)( r2)?/i.exec(prettyName)
  if (server) return `microsoft:windows_server_${server[1]}${server[2] ? '_r2' : ''}`
  const build = Number(versionId.split('.')[2] ?? Number.NaN)
  const named = clientBuilds.findLast(([from]) => build >= from)
  return named && `microsoft:windows_${named[1]}`
}

/** First build of each release of Windows 10 and 11. */
const clientBuilds: readonly (readonly [number, string])[] = [
  [10240, '10_1507'],
  [10586, '10_1511'],
  [14393, '10_1607'],
  [15063, '10_1703'],
  [16299, '10_1709'],
  [17134, '10_1803'],
  [17763, '10_1809'],
  [18362, '10_1903'],
  [18363, '10_1909'],
  [19041, '10_2004'],
  [19042, '10_20h2'],
  [19043, '10_21h1'],
  [19044, '10_21h2'],
  [19045, '10_22h2'],
  [22000, '11_21h2'],
  [22621, '11_22h2'],
  [22631, '11_23h2'],
  [26100, '11_24h2'],
]
