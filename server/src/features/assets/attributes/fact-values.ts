import ipaddr from 'ipaddr.js'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Json } from '../observation.ts'

/** What conditions ask about among the facts of observations. Absent: none of them says. */
export interface FactValues {
  readonly openPorts?: readonly number[]
  /** The TCP ports of which it is known whether they are open; null: of all. Present with `openPorts`. */
  readonly knownPorts?: readonly number[] | null
  /** Normalized. */
  readonly services?: readonly string[]
  readonly memoryBytes?: number
  readonly diskBytes?: number
  readonly cpuCount?: number
  readonly bootedAt?: Date
  readonly biosVersion?: string
}

export type Facts = Readonly<Record<string, Json>>

const MEGABYTE = 2 ** 20
const GIGABYTE = 2 ** 30
const MEMBERS_MAX = 500

/**
 * `all` has the facts of each observation, the newest first. Of single values the newest wins; a port is open, and a
 * service runs, if any of them says so: what a sweep cannot reach a login sees, and the other way round.
 */
export function factValuesOf(all: readonly Facts[]): FactValues {
  const first = <T>(read: (facts: Facts) => T | undefined): T | undefined => {
    for (const facts of all) {
      const value = read(facts)
      if (value !== undefined) return value
    }
    return undefined
  }
  const union = <T>(read: (facts: Facts) => readonly T[] | undefined): T[] | undefined => {
    const said = all.flatMap((facts) => read(facts) ?? [])
    if (said.length > 0) return [...new Set(said)].slice(0, MEMBERS_MAX)
    return all.some((facts) => read(facts) !== undefined) ? [] : undefined
  }
  const openPorts = union(openPortsIn)?.toSorted((a, b) => a - b)
  return given({
    openPorts,
    knownPorts: openPorts && knownPortsOf(all, openPorts),
    services: union(servicesIn)?.toSorted(),
    memoryBytes: first(memoryIn),
    diskBytes: first(disksIn),
    cpuCount: first((facts) => whole(facts['cpuCount'] ?? facts['cpus'] ?? facts['cores'])),
    bootedAt: first((facts) => instantIn(facts['bootedAt'])),
    biosVersion: first((facts) => textIn(facts['biosVersion'])),
  })
}

const given = (values: { [K in keyof FactValues]: FactValues[K] | undefined }): FactValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as FactValues

/** Of TCP, and without those on which a host listens to itself alone. */
function openPortsIn({ openPorts, ports, listening }: Facts): readonly number[] | undefined {
  const lists = [openPorts, ports].filter((it) => Array.isArray(it)) as (readonly Json[])[]
  if (lists.length === 0 && !Array.isArray(listening)) return undefined
  const heard = listIn(listening).flatMap((line) => {
    const [, address = '', port] = /^tcp (\S+) (\d{1,5})$/.exec(typeof line === 'string' ? line : '') ?? []
    return port === undefined || isLoopback(address) ? [] : [Number(port)]
  })
  return [...lists.flat(), ...heard].filter(isPort)
}

/**
 * A login lists all sockets that listen, a sweep asks some ports (`askedPorts`: those that answered, open or not), and
 * of a bare list of open ports nobody knows what was asked. Silence of a port is no answer: a filter may drop it.
 */
function knownPortsOf(all: readonly Facts[], open: readonly number[]): readonly number[] | null {
  if (open.length < MEMBERS_MAX && all.some((facts) => isComplete(facts))) return null
  const asked = all.flatMap(({ askedPorts }) => listIn(askedPorts)).filter((it) => isPort(it))
  return [...new Set([...open, ...asked])].toSorted((a, b) => a - b).slice(0, MEMBERS_MAX)
}

/** A list that was cut says so in the notes. */
function isComplete({ listening, askedPorts, notes }: Facts): boolean {
  if (askedPorts === 'all') return true
  const isCut = listIn(notes).some((it) => typeof it === 'string' && it.startsWith('listening:'))
  return Array.isArray(listening) && !isCut
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535

function isLoopback(address: string): boolean {
  const plain = address.replace(/^\[|\]$|%.*$/g, '')
  return ipaddr.isValid(plain) && ipaddr.process(plain).range() === 'loopback'
}

function servicesIn({ services }: Facts): readonly string[] | undefined {
  if (!Array.isArray(services)) return undefined
  return services.flatMap((it) => (typeof it === 'string' ? (textIn(it) ?? []) : []))
}

function memoryIn({ memoryBytes, memoryMb, memoryGb }: Facts): number | undefined {
  return amount(memoryBytes) ?? amount(memoryMb, MEGABYTE) ?? amount(memoryGb, GIGABYTE)
}

/** All disks together, where each says its size. */
function disksIn({ disks, diskGb }: Facts): number | undefined {
  const sizes = listIn(disks).map((disk) => {
    const { bytes, sizeBytes } = isObject(disk) ? disk : {}
    return amount(bytes) ?? amount(sizeBytes)
  })
  const isKnown = sizes.length > 0 && !sizes.includes(undefined)
  return isKnown ? sizes.reduce<number>((sum, it) => sum + (it ?? 0), 0) : amount(diskGb, GIGABYTE)
}

const isObject = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : [])

/** Zero is what programs print that do not know. */
const amount = (value: unknown, unit = 1): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value * unit : undefined

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : undefined

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? normalizeText(value.replaceAll('\0', ' ')) || undefined : undefined

/** Between the years that PostgreSQL and four digits can say. */
function instantIn(value: unknown): Date | undefined {
  const at = typeof value === 'string' ? new Date(value) : undefined
  const year = at?.getUTCFullYear()
  return year !== undefined && year >= 1970 && year <= 9999 ? at : undefined
}
