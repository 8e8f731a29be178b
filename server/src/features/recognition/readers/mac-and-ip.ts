import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseMac, type Mac } from '../mac.ts'
import { registrantOf } from '../vendors/oui.ts'
import type { Evidence } from '../signals.ts'
import { usualType } from '../vendors/vendors.ts'

/** The maker makes one kind of thing. */
const SINGLE_PURPOSE_WORTH = 0.6
/** Who registered the block may have made no more than the network part. */
const REGISTRANT_WORTH = 0.35
/** Firewalls and servers share addresses in this way too. */
const VIRTUAL_ROUTER_WORTH = 0.5
/** A habit of administrators, no more. */
const GATEWAY_HABIT_WORTH = 0.15

/** What a MAC address says; undefined for what is none, or belongs to no single device. */
export function readMac(text: string): Evidence | undefined {
  const mac = parseMac(text)
  return mac && readers[mac.kind](mac)
}

const readers: Readonly<Record<Mac['kind'], (mac: Mac) => Evidence | undefined>> = {
  group: () => undefined,
  assigned: ({ digits }) => fromRegistrant(registrantOf(digits)),
  virtual_router: ({ digits }) => ({
    source: 'mac_virtual_router',
    confidence: VIRTUAL_ROUTER_WORTH,
    deviceType: 'router',
    vendor: digits.startsWith(VRRP) ? '' : registrantOf(digits),
    model: '',
  }),
  // Old registrations and company identifiers have the local bit set; what software makes up is in no registry.
  local: ({ digits }) =>
    fromRegistrant(registrantOf(digits)) ?? {
      source: 'mac_locally_administered',
      confidence: 0,
      vendor: '',
      model: '',
    },
}

/** The range of IANA (RFC 9542, 2.1.1): its owner makes no routers. */
const VRRP = '00005E'

function fromRegistrant(vendor: string): Evidence | undefined {
  if (vendor === '') return undefined
  const deviceType = usualType(vendor)
  const said = { source: 'mac_oui', vendor, model: '' } as const
  return deviceType
    ? { ...said, confidence: SINGLE_PURPOSE_WORTH, deviceType }
    : { ...said, confidence: REGISTRANT_WORTH }
}

/** An address alone says next to nothing: only that routers like to sit at an end of their range. */
export function readIp(text: string): Evidence | undefined {
  const address = parseIp(text)
  if (!address || !isPrivate(address) || !isAtTheEnd(address)) return undefined
  return { source: 'ip', confidence: GATEWAY_HABIT_WORTH, deviceType: 'router', vendor: '', model: '' }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** IPv4 in four parts, or IPv6 without a zone. */
export function parseIp(text: string): Address | undefined {
  const trimmed = text.trim()
  return isIP(trimmed) && !trimmed.includes('%') ? ipaddr.process(trimmed) : undefined
}

const isPrivate = (address: Address): boolean =>
  address.range() === 'private' || address.range() === 'uniqueLocal'

function isAtTheEnd(address: Address): boolean {
  const bytes = address.toByteArray()
  const last = bytes.at(-1)!
  if (bytes.length === 4) return last === 1 || last === 254
  return last === 1 && bytes.slice(8, -1).every((byte) => byte === 0)
}
