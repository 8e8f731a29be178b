import type { Json, Observation } from '#features/assets/observation.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SourceName } from './sources.ts'

/** What sources of the company see of how its devices are kept: most are in order, some are not, some do not say. */
export type Facts = Readonly<Record<string, Json>>

/** Instants count from `day`, which all observations share. The same for the same seed. */
export function observedFacts(
  by: SourceName,
  observation: Observation,
  { random, day }: { readonly random: SeededRandom; readonly day: Date },
): Facts {
  const { os = '', assetType } = observation
  if (by === 'agents') return seenByAgent(random, { os, isServer: !isOfPeople(observation), day })
  if (by === 'sweep') return seenFromOutside(random, { ports: observation.facts?.['ports'], day })
  if (by === 'snmp') return seenBySnmp(random, day)
  if (by === 'vcenter' && assetType === 'virtual_machine' && random.percent(94))
    return { toolsState: random.percent(90) ? 'guestToolsRunning' : 'guestToolsNotRunning' }
  if (by === 'directory' && random.percent(95))
    return { lastSignInAt: before(day, random.percent(90) ? 14 : 120, random) }
  return {}
}

/** Laptops and desktops say who works with them. */
const isOfPeople = ({ facts }: Observation): boolean => typeof facts?.['user'] === 'string'

const DAY_MS = 86_400_000
const SILENT_PERCENT = 10

/** An instant in the last `days`. */
const before = (day: Date, days: number, random: SeededRandom): string =>
  new Date(day.getTime() - (1 + random.below(days)) * DAY_MS).toISOString()

interface Host {
  readonly os: string
  readonly isServer: boolean
  readonly day: Date
}

function seenByAgent(random: SeededRandom, { os, isServer, day }: Host): Facts {
  const isWindows = os.includes('Windows')
  const isLinux = !isWindows && !os.startsWith('macOS')
  const told = <T extends Json>(value: T): T | undefined =>
    random.percent(SILENT_PERCENT) ? undefined : value
  return given({
    bootedAt: told(before(day, random.percent(88) ? 40 : 200, random)),
    biosVersion: told(random.pick(['1.14.2', '1.21.0', '2.19.1', 'U30 v2.76'])),
    protection: told({
      diskEncryption: random.percent(90)
        ? isWindows
          ? 'BitLocker'
          : isLinux
            ? 'LUKS'
            : 'FileVault'
        : 'none',
      firewall: random.percent(92)
        ? isWindows
          ? 'Windows Firewall'
          : isLinux
            ? 'nftables'
            : 'macOS'
        : 'none',
      antivirus: random.percent(93) ? [isWindows ? 'Microsoft Defender' : 'ClamAV'] : [],
    }),
    services: told(servicesOf(random, { isWindows, isServer })),
    listening: told(listeningOf(random, { isWindows, isServer })),
    ...(isWindows && { accounts: told(windowsAccounts(random)) }),
    ...(isLinux && { accounts: told(linuxAccounts(random)) }),
    ...(isServer && random.percent(40) && { certificates: [storedCertificate(random, day)] }),
  })
}

function servicesOf(
  random: SeededRandom,
  { isWindows, isServer }: { readonly isWindows: boolean; readonly isServer: boolean },
): string[] {
  const usual: readonly (readonly [name: string, percent: number])[] = isWindows
    ? [
        ['W32Time', 95],
        ['WinDefend', 93],
        ['Spooler', isServer ? 12 : 90],
        ['RemoteRegistry', 8],
        ['NXLog', isServer ? 85 : 5],
      ]
    : [
        [random.pick(['chronyd', 'systemd-timesyncd']), 94],
        ['rsyslog', isServer ? 90 : 40],
        ['sshd', 95],
      ]
  const backup: readonly (readonly [string, number])[] = isServer
    ? [[isWindows ? 'VeeamEndpointBackupSvc' : 'bareos-fd', 60]]
    : []
  return [...usual, ...backup].flatMap(([name, percent]) => (random.percent(percent) ? [name] : []))
}

/** Services that should be gone by now, each on a few hosts. */
const OLD_PORTS = [7, 21, 23, 110, 389, 502, 512, 2375, 5900, 6000, 9100] as const

function listeningOf(
  random: SeededRandom,
  { isWindows, isServer }: { readonly isWindows: boolean; readonly isServer: boolean },
): string[] {
  const ports = new Set<number>(isWindows ? [135, 445] : [22])
  if (isServer)
    for (const port of random.pick([[80, 443], [443], [5432], [3306], [443, 3389]])) ports.add(port)
  if (random.percent(22)) ports.add(random.pick(OLD_PORTS))
  if (random.percent(3)) for (let port = 49_664; port < 49_690; port++) ports.add(port)
  return [...ports].map((port) => `tcp 0.0.0.0 ${port}`)
}

const windowsAccounts = (random: SeededRandom): Json => [
  { name: 'Administrator', rid: 500, isDisabled: random.percent(82) },
  { name: 'Guest', rid: 501, isDisabled: random.percent(96) },
]

const linuxAccounts = (random: SeededRandom): Json => [
  { name: 'root', uid: 0 },
  { name: 'deploy', uid: random.percent(75) ? 1_000 : 0 },
]

const storedCertificate = (random: SeededRandom, day: Date): Json => ({
  subject: 'CN=internal.halden.example',
  issuer: 'CN=Halden issuing authority',
  expiresAt: new Date(
    day.getTime() + (random.percent(85) ? 60 + random.below(400) : random.below(25)) * DAY_MS,
  ).toISOString(),
})

const TLS_PORTS = [443, 902]
const SMB_PORT = 445
/** Beside what is open, a sweep asks these. */
const ASKED = [21, 22, 23, 80, 135, 139, 443, 445, 554, 902, 3389, 5060, 5432, 9090]

/** What answers at the ports that a sweep finds open. */
function seenFromOutside(
  random: SeededRandom,
  { ports, day }: { readonly ports: Json | undefined; readonly day: Date },
): Facts {
  const open = Array.isArray(ports) ? (ports as readonly number[]) : []
  const isSelfSigned = random.percent(35)
  const ends = day.getTime() + (random.percent(90) ? 40 + random.below(330) : random.below(20)) * DAY_MS
  return {
    ...(open.length > 0 && random.percent(80) && { askedPorts: ASKED }),
    ...(open.includes(SMB_PORT) &&
      random.percent(85) && {
        smb: {
          signing: random.percent(85) ? 'required' : 'offered',
          dialect: random.percent(92) ? '3.1.1' : '2.1',
        },
      }),
    ...(open.some((it) => TLS_PORTS.includes(it)) &&
      random.percent(85) && {
        tls: { validTo: new Date(ends).toISOString(), selfSigned: isSelfSigned },
      }),
  }
}

function seenBySnmp(random: SeededRandom, day: Date): Facts {
  const version = random.percent(75) ? 'SNMPv3' : 'SNMPv2c'
  return given({
    bootedAt: random.percent(90) ? before(day, random.percent(85) ? 300 : 900, random) : undefined,
    askedBy: random.percent(92) ? version : undefined,
    defaultCommunity: version === 'SNMPv2c' ? random.percent(20) : random.percent(50) ? false : undefined,
  })
}

const given = (facts: Readonly<Record<string, Json | undefined>>): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts
