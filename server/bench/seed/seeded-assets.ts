import type { AssetType, Observation } from '#features/assets/observation.ts'

/** The source that reports the estate of the bench. */
export const SOURCE = { kind: 'agent', name: 'bench' } as const

/** The newest thing was seen then; each earlier one some seconds before. Fixed, so that a kept estate stays the same. */
const NEWEST_MS = Date.UTC(2026, 0, 1)
const APART_MS = 2_500

const sites = ['ber', 'muc', 'nyc', 'lon', 'par', 'tok', 'sfo', 'ams', 'zrh', 'dub'] as const
const roles = ['lap', 'srv', 'prn', 'cam', 'vm', 'plc'] as const
const makers = ['Dell Inc.', 'HP', 'Lenovo', 'Cisco Systems'] as const
const systems = ['Windows 11 Pro 23H2', 'Ubuntu 24.04 LTS', 'Debian 12', 'Windows Server 2022', ''] as const
const tags = [['prod'], ['test'], ['prod', 'pci'], [], []] as const
/** Of seventeen things. Five in seventeen are devices. */
const types: readonly AssetType[] = [
  ...Array<AssetType>(5).fill('device'),
  ...Array<AssetType>(3).fill('virtual_machine'),
  'hypervisor',
  'cluster',
  'datacenter',
  'datastore',
  'cloud_resource',
  'ot_device',
  'software',
  'saas_account',
  'user',
]

/**
 * Thing number `n` of the estate as its source reports it: a serial, a MAC address, an IP address and a host name,
 * none of which another thing has. Up to 16 million. Numbers are scattered, so that neighbours in time are not
 * neighbours in name.
 */
export function observationOf(n: number, seenAt = seenAtOf(n)): Observation {
  const k = scatter(n)
  const [high, middle, low] = [(k >> 16) & 0xff, (k >> 8) & 0xff, k & 0xff]
  return {
    sourceKey: `bench-${n}`,
    seenAt,
    assetType: pick(types, k),
    os: pick(systems, k),
    vendor: pick(makers, k),
    model: `Model ${k % 40}`,
    tags: pick(tags, k),
    identifiers: [
      { type: 'hostname', value: hostnameOf(n) },
      { type: 'ip', value: `10.${high}.${middle}.${low}` },
      { type: 'mac', value: `3c:2a:f4:${[high, middle, low].map(hex).join(':')}` },
      { type: 'serial', value: serialOf(n) },
    ],
    facts: { ports: [22, 80, 443], cores: 2 + (k % 14) },
  }
}

export const seenAtOf = (n: number): Date => new Date(NEWEST_MS - n * APART_MS)

export function hostnameOf(n: number): string {
  const k = scatter(n)
  return `${pick(roles, k)}-${pick(sites, Math.floor(k / roles.length))}-${String(k).padStart(8, '0')}.corp.example`
}

export const ipOf = (n: number): string => {
  const k = scatter(n)
  return `10.${(k >> 16) & 0xff}.${(k >> 8) & 0xff}.${k & 0xff}`
}

export const serialOf = (n: number): string =>
  `SN${(scatter(n) * 7 + 1).toString(36).toUpperCase().padStart(6, '0')}`

/** Odd, so that multiplying by it modulo a power of two repeats nothing. */
const SCATTER = 0x9e3779b1

const scatter = (n: number): number => Math.imul(n, SCATTER) & 0xff_ff_ff

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T

const hex = (octet: number): string => octet.toString(16).padStart(2, '0')
