/** A MAC address as twelve upper-case hexadecimal digits, and what its first digits mean before any table. */
export interface Mac {
  readonly digits: string
  readonly kind: MacKind
}

/**
 * `virtual_router`: made for a group of routers by VRRP (RFC 9568, 7.3), HSRP or GLBP. `local`: chosen by software
 * (IEEE 802, 8.2: the second lowest bit of the first octet). `group`: multicast, broadcast and all zeros, no device.
 */
export type MacKind = 'assigned' | 'local' | 'virtual_router' | 'group'

/**
 * Reads the usual spellings: pairs joined by colons or by hyphens, a leading zero of a pair may be missing; three
 * groups of four joined by dots; twelve digits. Undefined: not a MAC address.
 */
export function parseMac(text: string): Mac | undefined {
  const digits = digitsOf(text.trim())
  return digits === undefined ? undefined : { digits, kind: kindOf(digits) }
}

const pairs = /^[0-9a-f]{1,2}(?:(?::[0-9a-f]{1,2}){5}|(?:-[0-9a-f]{1,2}){5})$/i
const joined = /^(?:[0-9a-f]{12}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$/i

function digitsOf(text: string): string | undefined {
  if (joined.test(text)) return text.replaceAll('.', '').toUpperCase()
  if (!pairs.test(text)) return undefined
  return text
    .split(/[:-]/)
    .map((pair) => pair.padStart(2, '0'))
    .join('')
    .toUpperCase()
}

const GROUP_BIT = 1
const LOCAL_BIT = 2
const virtualRouters = ['00005E0001', '00005E0002', '00000C07AC', '00000C9FF', '0007B400', '0005736']

function kindOf(digits: string): MacKind {
  const first = Number.parseInt(digits.slice(0, 2), 16)
  if (first & GROUP_BIT || /^0+$/.test(digits)) return 'group'
  if (virtualRouters.some((prefix) => digits.startsWith(prefix))) return 'virtual_router'
  return first & LOCAL_BIT ? 'local' : 'assigned'
}
