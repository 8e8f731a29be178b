import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Identifier, IdentifierType } from '../observation.ts'
import {
  genericNames,
  hypervisorMacPrefixes,
  junkMacPrefixes,
  junkSerials,
  junkUuidPrefixes,
  junkUuids,
  insideAddresses,
  localSuffixes,
} from './junk-identifiers.ts'

/**
 * The normalised form of an identifier, or why it has none: `junk` is dropped silently, `malformed` rejects the
 * observation.
 */
export type IdentifierReading =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'junk' }
  | { readonly kind: 'malformed'; readonly why: string }

/** Two identifiers of one type are the same if and only if their normalised values are equal. */
export function normaliseIdentifier(identifier: Identifier): IdentifierReading {
  const text = identifier.value.trim()
  return text === '' ? junk : readers[identifier.type](text)
}

export type MacClass = 'universal' | 'hypervisor' | 'local'

/** `mac` as `normaliseIdentifier` returns it. Hypervisor ranges are checked first: some have the local bit set. */
export function macClass(mac: string): MacClass {
  if (hypervisorMacPrefixes.some((prefix) => mac.startsWith(prefix))) return 'hypervisor'
  return Number.parseInt(mac.slice(0, 2), 16) & LOCAL_BIT ? 'local' : 'universal'
}

/** Docker and its like make the address of a container from its IP address: it is the same on every host. */
export const isContainerMac = (mac: string): boolean => mac.startsWith('02:42:')

export type NameClass = 'full' | 'bare' | 'generic'

/**
 * `name` as `normaliseIdentifier` returns it: `full` with a DNS or Windows domain, `bare` without, `generic` if in
 * common use or derived from an address.
 */
export function nameClass(name: string): NameClass {
  const label = bareName(name)
  if (genericNames.has(label) || isMadeFromAddress(name)) return 'generic'
  return label === name ? 'bare' : 'full'
}

/** The host part of a name: `pc1` of `pc1.corp.example` and of `corp\pc1`. */
export function bareName(name: string): string {
  const slash = name.indexOf('\\')
  if (slash >= 0) return name.slice(slash + 1)
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

/**
 * Loopback and link-local addresses, and those that hypervisors and containers have on the inside of every machine, are
 * used as identifiers only where there are no others.
 */
export function isLocalOnly(ip: string): boolean {
  if (insideAddresses.has(ip)) return true
  const range = ipaddr.parse(ip).range()
  return range === 'loopback' || range === 'linkLocal'
}

/**
 * A key that is equal for spellings of one vendor: `Dell Inc.` and `DELL`, `Hewlett-Packard` and `HPE`. Undefined if
 * empty or junk.
 */
export function vendorKey(vendor: string | undefined): string | undefined {
  const words = (vendor ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  if (words === '' || junkSerials.has(words.replaceAll(' ', '').toUpperCase())) return undefined
  const alias = vendorAliases.find(([beginning]) => words.startsWith(beginning))
  return alias ? alias[1] : words.split(' ')[0]
}

const LOCAL_BIT = 0x02
const MULTICAST_BIT = 0x01
const NAME_LENGTH_MAX = 255
const SERIAL_LENGTH_MIN = 3
/** Distinct octets: random ones and those that makers derive from a serial or a MAC address have more. */
const UUID_OCTETS_MIN = 4
const ENGINE_ID_OCTETS_MIN = 5

const vendorAliases: readonly (readonly [string, string])[] = [
  ['hewlett packard', 'hp'],
  ['hpe', 'hp'],
  ['super micro', 'supermicro'],
  ['international business machines', 'ibm'],
  ['micro star', 'msi'],
  ['asustek', 'asus'],
  ['giga byte', 'gigabyte'],
]

const meaninglessRanges: ReadonlySet<string> = new Set(['unspecified', 'broadcast', 'multicast'])

const junk: IdentifierReading = { kind: 'junk' }
const value = (text: string): IdentifierReading => ({ kind: 'value', value: text })
const malformed = (why: string): IdentifierReading => ({ kind: 'malformed', why })

const readers: Record<IdentifierType, (text: string) => IdentifierReading> = {
  agent_key: value,
  tpm_ek: value,
  cloud_id: (text) => value(text.toLowerCase()),
  management_id: (text) => value(text.toLowerCase()),
  serial: readSerial,
  smbios_uuid: readUuid,
  snmp_engine: readEngineId,
  chassis_id: readChassisId,
  machine_id: readMachineId,
  ssh_host_key: readFingerprint,
  mac: readMac,
  hostname: readName,
  ptr_name: readName,
  ip: readIp,
}

function readSerial(text: string): IdentifierReading {
  const serial = text.toUpperCase().replace(/\s+/g, ' ')
  const letters = serial.replace(/[^\p{L}\p{N}]/gu, '')
  if (letters.length < SERIAL_LENGTH_MIN || isOneCharacter(letters) || junkSerials.has(letters)) return junk
  if (isSentence(serial)) return junk
  return value(serial)
}

/** Words instead of a number: `System Product Name`, `INVALID_SERIAL`. */
const isSentence = (serial: string): boolean => !/\d/.test(serial) && /[\p{L}][ _]+[\p{L}]/u.test(serial)

/**
 * SMBIOS before 2.6 left the byte order of the first three fields open, and firmware, Windows and hypervisors
 * disagree. The lesser of both spellings is used for both. Values that are not 32 hexadecimal digits are junk.
 */
function readUuid(text: string): IdentifierReading {
  const hex = text
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replace(/[{}\s-]/g, '')
  if (!/^[0-9a-f]{32}$/.test(hex)) return junk
  const swapped = swapUuid(hex)
  const both = [hex, swapped]
  if (new Set(hex.match(/../g)).size < UUID_OCTETS_MIN || both.some((order) => junkUuids.includes(order)))
    return junk
  if (both.some((order) => junkUuidPrefixes.some((prefix) => order.startsWith(prefix)))) return junk
  const chosen = hex < swapped ? hex : swapped
  return value(chosen.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}

function swapUuid(hex: string): string {
  const reversed = (from: number, to: number) => hex.slice(from, to).match(/../g)?.reverse().join('') ?? ''
  return reversed(0, 8) + reversed(8, 12) + reversed(12, 16) + hex.slice(16)
}

/**
 * RFC 3411 SnmpEngineID. Agents with default settings derive it from the loopback address, which is the same on all
 * of them.
 */
function readEngineId(text: string): IdentifierReading {
  const hex = text
    .toLowerCase()
    .replace(/^0x/, '')
    .replace(/[\s:-]/g, '')
  if (!/^([0-9a-f]{2})+$/.test(hex)) return malformed('not an SNMP engine id in hexadecimal')
  if (hex.length < ENGINE_ID_OCTETS_MIN * 2 || isOneCharacter(hex) || hex.endsWith('017f000001')) return junk
  return value(hex)
}

/** IEEE 802.1AB: usually a MAC address, else a text defined by the vendor. */
function readChassisId(text: string): IdentifierReading {
  const mac = readMac(text)
  return mac.kind === 'malformed' ? value(text.toLowerCase()) : mac
}

function readMachineId(text: string): IdentifierReading {
  const id = text.toLowerCase().replace(/[{}\s-]/g, '')
  return isOneCharacter(id) || id === 'uninitialized' ? junk : value(id)
}

function readFingerprint(text: string): IdentifierReading {
  const md5 = /^(?:md5:)?((?:[0-9a-f]{2}:){15}[0-9a-f]{2})$/i.exec(text)?.[1]
  if (md5) return value(`md5:${md5.toLowerCase().replaceAll(':', '')}`)
  const sha256 = /^(?:sha256:)?([A-Za-z0-9+/]{43})=?$/i.exec(text)?.[1]
  return sha256 ? value(`sha256:${sha256}`) : malformed('not an MD5 or SHA-256 fingerprint of an SSH key')
}

/**
 * Accepts separators `:`, `-` and `.` (Cisco), two halves (HP), digits only, and octets without their leading zero.
 */
function readMac(text: string): IdentifierReading {
  const octets = octetsOfMac(text.toLowerCase())
  if (!octets) return malformed('not a MAC address of six octets')
  const mac = octets.join(':')
  const multicast = Number.parseInt(mac.slice(0, 2), 16) & MULTICAST_BIT
  return multicast ||
    isOneCharacter(mac.replaceAll(':', '')) ||
    junkMacPrefixes.some((prefix) => mac.startsWith(prefix))
    ? junk
    : value(mac)
}

function octetsOfMac(text: string): string[] | undefined {
  if (/^[0-9a-f]{1,2}([:-][0-9a-f]{1,2}){5}$/.test(text)) {
    return text.split(/[:-]/).map((octet) => octet.padStart(2, '0'))
  }
  const packed =
    /^([0-9a-f]{4}[.:-]){2}[0-9a-f]{4}$|^[0-9a-f]{6}[:-]?[0-9a-f]{6}$|^[0-9a-f]{2}( [0-9a-f]{2}){5}$/
  return packed.test(text) ? (text.replace(/[^0-9a-f]/g, '').match(/../g) ?? undefined) : undefined
}

function readName(text: string): IdentifierReading {
  let name = text.toLowerCase().replace(/\.+$/, '')
  for (const suffix of localSuffixes) if (name.endsWith(suffix)) name = name.slice(0, -suffix.length)
  if (name.length > NAME_LENGTH_MAX) return malformed(`longer than ${NAME_LENGTH_MAX} characters`)
  return name === '' || isIP(name) ? junk : value(name)
}

/** The text form of RFC 5952, without zone; an IPv4-mapped address is the IPv4 address. */
function readIp(text: string): IdentifierReading {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (!isIP(bare)) return malformed('not an IPv4 or IPv6 address')
  const address = ipaddr.process(bare)
  if (meaninglessRanges.has(address.range())) return junk
  return value('toRFC5952String' in address ? address.toRFC5952String() : address.toString())
}

/** `ip-10-0-0-5`, `host-192-168-1-20.isp.example`: a name derived from an address. */
function isMadeFromAddress(name: string): boolean {
  const octets = /(?:^|\D)(\d{1,3})[-.](\d{1,3})[-.](\d{1,3})[-.](\d{1,3})(?:\D|$)/.exec(name)
  return octets !== null && octets.slice(1).every((octet) => Number(octet) <= 255)
}

const isOneCharacter = (text: string): boolean => text === (text[0] ?? '').repeat(text.length)
