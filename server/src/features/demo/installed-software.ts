import type { InstalledSoftware, OsRelease, SoftwareReport } from '#features/assets/observation.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * The software that an agent reports. The versions are real ones: in each list the last is current, and older ones
 * have known vulnerabilities. Undefined for an unknown operating system.
 */
export function installedSoftware(os: string, random: SeededRandom): SoftwareReport | undefined {
  const release = releaseOf(os)
  const list = release && softwareLists.find((each) => each.fits(release))
  if (!release || !list) return undefined
  const chosen = list.items.filter(() => random.percent(INSTALLED_PERCENT))
  const items = chosen.map(([name, versions, more]): InstalledSoftware => ({
    origin: list.origin,
    name,
    version: random.percent(CURRENT_PERCENT) ? (versions.at(-1) ?? '') : random.pick(versions),
    ...(list.arch !== undefined && { arch: list.arch }),
    ...more,
  }))
  const kernels = list.kernels ?? []
  if (kernels.length === 0) return { release, complete: [list.origin], items }
  const kernel = random.percent(BOOTED_PERCENT) ? kernels.at(-1) : kernels[0]
  return { release: { ...release, ...(kernel !== undefined && { kernel }) }, complete: [list.origin], items }
}

const INSTALLED_PERCENT = 85
const CURRENT_PERCENT = 55
/** Those that run the newest of their kernels. */
const BOOTED_PERCENT = 70

type More = Pick<InstalledSoftware, 'vendor' | 'source'>
type Item = readonly [name: string, versions: readonly string[], more: More]

interface SoftwareList {
  readonly fits: (release: OsRelease) => boolean
  readonly origin: 'dpkg' | 'rpm' | 'windows' | 'macos'
  readonly arch?: string
  readonly items: readonly Item[]
  /** As `uname -r` prints them, the newest last; absent where the list has no package of a kernel. */
  readonly kernels?: readonly string[]
}

const is =
  (id: string, versionId = '') =>
  (release: OsRelease): boolean =>
    release.id === id && release.versionId.startsWith(versionId)
const from = (name: string): More => ({ source: { name } })
const by = (vendor: string): More => ({ vendor })

const softwareLists: readonly SoftwareList[] = [
  {
    fits: is('debian', '12'),
    origin: 'dpkg',
    arch: 'amd64',
    items: [
      ['openssh-server', ['1:9.2p1-2+deb12u2', '1:9.2p1-2+deb12u3'], from('openssh')],
      ['libssl3', ['3.0.11-1~deb12u2', '3.0.14-1~deb12u1', '3.0.15-1~deb12u1'], from('openssl')],
      ['libc6', ['2.36-9+deb12u3', '2.36-9+deb12u7', '2.36-9+deb12u9'], from('glibc')],
      ['curl', ['7.88.1-10+deb12u5', '7.88.1-10+deb12u8'], from('curl')],
      ['sudo', ['1.9.13p3-1+deb12u1'], from('sudo')],
      ['bash', ['5.2.15-2+b7'], { source: { name: 'bash', version: '5.2.15-2' } }],
      ['nginx', ['1.22.1-9'], from('nginx')],
      ['postgresql-15', ['15.5-0+deb12u1', '15.8-0+deb12u1'], from('postgresql-15')],
      ['linux-image-6.1.0-18-amd64', ['6.1.76-1'], from('linux-signed-amd64')],
      ['linux-image-6.1.0-26-amd64', ['6.1.112-1'], from('linux-signed-amd64')],
      ['python3.11', ['3.11.2-6', '3.11.2-6+deb12u4'], from('python3.11')],
    ],
    kernels: ['6.1.0-18-amd64', '6.1.0-26-amd64'],
  },
  {
    fits: is('ubuntu', '22.04'),
    origin: 'dpkg',
    arch: 'amd64',
    items: [
      ['openssh-server', ['1:8.9p1-3ubuntu0.6', '1:8.9p1-3ubuntu0.10'], from('openssh')],
      ['libssl3', ['3.0.2-0ubuntu1.12', '3.0.2-0ubuntu1.18'], from('openssl')],
      ['libc6', ['2.35-0ubuntu3.4', '2.35-0ubuntu3.8'], from('glibc')],
      ['curl', ['7.81.0-1ubuntu1.14', '7.81.0-1ubuntu1.18'], from('curl')],
      ['sudo', ['1.9.9-1ubuntu2.4'], from('sudo')],
      ['bash', ['5.1-6ubuntu1.1'], from('bash')],
      ['apache2', ['2.4.52-1ubuntu4.7', '2.4.52-1ubuntu4.12'], from('apache2')],
      ['linux-image-5.15.0-105-generic', ['5.15.0-105.115'], from('linux-signed')],
      ['linux-image-5.15.0-122-generic', ['5.15.0-122.132'], from('linux-signed')],
      ['vim', ['2:8.2.3995-1ubuntu2.15', '2:8.2.3995-1ubuntu2.18'], from('vim')],
    ],
    kernels: ['5.15.0-105-generic', '5.15.0-122-generic'],
  },
  {
    fits: is('ubuntu', '24.04'),
    origin: 'dpkg',
    arch: 'amd64',
    items: [
      ['openssh-server', ['1:9.6p1-3ubuntu13', '1:9.6p1-3ubuntu13.5'], from('openssh')],
      ['libssl3t64', ['3.0.13-0ubuntu3', '3.0.13-0ubuntu3.4'], from('openssl')],
      ['libc6', ['2.39-0ubuntu8', '2.39-0ubuntu8.3'], from('glibc')],
      ['curl', ['8.5.0-2ubuntu10', '8.5.0-2ubuntu10.4'], from('curl')],
      ['cups', ['2.4.7-1.2ubuntu7', '2.4.7-1.2ubuntu7.3'], from('cups')],
      ['firefox', ['1:1snap1-0ubuntu5'], from('firefox')],
    ],
  },
  {
    fits: is('rhel', '9'),
    origin: 'rpm',
    arch: 'x86_64',
    items: [
      ['openssh-server', ['0:8.7p1-38.el9', '0:8.7p1-38.el9_4.4'], from('openssh')],
      ['openssl-libs', ['1:3.0.7-25.el9_3', '1:3.0.7-28.el9_4'], from('openssl')],
      ['glibc', ['0:2.34-100.el9', '0:2.34-100.el9_4.4'], from('glibc')],
      ['curl', ['0:7.76.1-29.el9_4', '0:7.76.1-29.el9_4.1'], from('curl')],
      ['httpd', ['0:2.4.57-8.el9', '0:2.4.57-11.el9_4.1'], from('httpd')],
      ['bash', ['0:5.1.8-9.el9'], from('bash')],
      ['kernel-core', ['0:5.14.0-427.13.1.el9_4', '0:5.14.0-427.40.1.el9_4'], from('kernel')],
    ],
    kernels: ['5.14.0-427.13.1.el9_4.x86_64', '5.14.0-427.40.1.el9_4.x86_64'],
  },
  {
    fits: is('rhel', '8'),
    origin: 'rpm',
    arch: 'x86_64',
    items: [
      ['openssh-server', ['0:8.0p1-24.el8', '0:8.0p1-25.el8_10'], from('openssh')],
      ['openssl-libs', ['1:1.1.1k-9.el8_7', '1:1.1.1k-12.el8_9'], from('openssl')],
      ['glibc', ['0:2.28-251.el8', '0:2.28-251.el8_10.5'], from('glibc')],
      ['sudo', ['0:1.9.5p2-1.el8_9'], from('sudo')],
      ['bash', ['0:4.4.20-5.el8'], from('bash')],
      [
        'java-1.8.0-openjdk-headless',
        ['1:1.8.0.402.b06-2.el8', '1:1.8.0.422.b05-2.el8'],
        from('java-1.8.0-openjdk'),
      ],
    ],
  },
  {
    fits: is('sles'),
    origin: 'rpm',
    arch: 'x86_64',
    items: [
      ['openssh', ['0:8.4p1-150300.3.27.1', '0:8.4p1-150300.3.37.1'], from('openssh')],
      ['libopenssl1_1', ['0:1.1.1l-150500.17.22.1', '0:1.1.1l-150500.17.34.1'], from('openssl-1_1')],
      ['glibc', ['0:2.31-150300.63.1', '0:2.31-150300.86.3'], from('glibc')],
      ['bash', ['0:4.4-150400.25.22'], from('bash')],
    ],
  },
  {
    fits: (release) => release.id === 'windows' && (release.prettyName ?? '').includes('Server'),
    origin: 'windows',
    items: [
      ['Microsoft SQL Server 2019 (64-bit)', ['15.0.2000.5'], by('Microsoft Corporation')],
      ['7-Zip 23.01 (x64)', ['23.01'], by('Igor Pavlov')],
      ['Notepad++ (64-bit x64)', ['8.5.6', '8.6.9'], by('Notepad++ Team')],
      ['VMware Tools', ['12.1.5.20735119', '12.4.5.23787635'], by('VMware, Inc.')],
      ['PuTTY release 0.80 (64-bit)', ['0.80.0.0'], by('Simon Tatham')],
    ],
  },
  {
    fits: is('windows'),
    origin: 'windows',
    items: [
      ['Google Chrome', ['125.0.6422.60', '126.0.6478.127', '130.0.6723.70'], by('Google LLC')],
      ['Mozilla Firefox (x64 en-US)', ['115.8.0', '125.0.3', '132.0'], by('Mozilla')],
      ['7-Zip 23.01 (x64)', ['23.01'], by('Igor Pavlov')],
      ['WinRAR 6.22 (64-bit)', ['6.22.0'], by('win.rar GmbH')],
      ['VLC media player', ['3.0.18', '3.0.20', '3.0.21'], by('VideoLAN')],
      ['Adobe Acrobat (64-bit)', ['23.008.20533', '24.003.20180'], by('Adobe')],
      ['Notepad++ (64-bit x64)', ['8.5.6', '8.6.9'], by('Notepad++ Team')],
      ['PuTTY release 0.80 (64-bit)', ['0.80.0.0'], by('Simon Tatham')],
      ['Zoom Workplace', ['6.0.2', '6.2.5'], by('Zoom Communications, Inc.')],
      ['Microsoft Visual Studio Code', ['1.89.1', '1.94.2'], by('Microsoft Corporation')],
    ],
  },
  {
    fits: is('macos'),
    origin: 'macos',
    items: [
      ['Google Chrome.app', ['125.0.6422.60', '130.0.6723.70'], by('com.google.Chrome')],
      ['Firefox.app', ['125.0.3', '132.0'], by('org.mozilla.firefox')],
      ['zoom.us.app', ['6.0.2', '6.2.5'], by('us.zoom.xos')],
      ['Visual Studio Code.app', ['1.89.1', '1.94.2'], by('com.microsoft.VSCode')],
    ],
  },
]

/** The os-release of the operating systems in `hardware-models.ts`. */
function releaseOf(os: string): OsRelease | undefined {
  const named = (id: string, versionId: string): OsRelease => ({ id, versionId, prettyName: os })
  const build = builds.find(([name]) => os.includes(name))?.[1]
  if (build !== undefined) return named('windows', build)
  for (const [pattern, id] of patterns) {
    const [, version, pack] = pattern.exec(os) ?? []
    if (version !== undefined) return named(id, pack === undefined ? version : `${version}.${pack}`)
  }
  return undefined
}

const builds: readonly (readonly [string, string])[] = [
  ['Windows Server 2022', '10.0.20348.2402'],
  ['Windows Server 2019', '10.0.17763.5696'],
  ['Windows 11 Pro 23H2', '10.0.22631.3447'],
  ['Windows 11 Enterprise 24H2', '10.0.26100.1742'],
  ['Windows 10 Pro 22H2', '10.0.19045.4291'],
]
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^Ubuntu (\d+\.\d+)/, 'ubuntu'],
  [/^Debian GNU\/Linux (\d+)/, 'debian'],
  [/^Red Hat Enterprise Linux (\d+\.\d+)/, 'rhel'],
  [/^SUSE Linux Enterprise Server (\d+) SP(\d+)/, 'sles'],
  [/^macOS (\d+\.\d+)/, 'macos'],
]
