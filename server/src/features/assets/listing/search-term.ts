import { isIP } from 'node:net'
import { macSearchSpelling } from './search-text.ts'

/** What to search for, parsed from the text in the app's search box. */
export type SearchTerm =
  | { readonly by: 'network'; readonly network: string }
  | {
      readonly by: 'text'
      readonly text: string
      /** Set if the text may be (a part of) a MAC address: its digits as `macSearchSpelling` writes them. */
      readonly mac: string | undefined
    }

/**
 * A network in CIDR notation is searched by containment, any other text as a substring and, if it may be one, as part
 * of a MAC address.
 */
export function readSearchTerm(text: string): SearchTerm {
  const trimmed = text.trim()
  if (isNetwork(trimmed)) return { by: 'network', network: trimmed }
  return {
    by: 'text',
    text: trimmed,
    mac: isPartOfMac(trimmed) ? macSearchSpelling(padded(trimmed)) : undefined,
  }
}

const BITS_MAX = { 4: 32, 6: 128 } as const

function isNetwork(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/')
  const version = isIP(address)
  if ((version !== 4 && version !== 6) || more.length > 0 || address.includes('%')) return false
  return /^\d{1,3}$/.test(length) && Number(length) <= BITS_MAX[version]
}

/** Minimum lengths: shorter runs of hexadecimal digits occur in too many MAC addresses by chance. */
const forms = [
  /^[0-9a-f]{6,12}$/i,
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){0,4}:[0-9a-f]{1,2}:?$/i,
  /^[0-9a-f]{2}(?:([- ])[0-9a-f]{2})(?:\1[0-9a-f]{2}){0,3}\1[0-9a-f]{1,2}-?$/i,
  /^[0-9a-f]{4}\.(?:[0-9a-f]{4}\.)?[0-9a-f]{2,4}$/i,
  // six pairs of which a leading zero may be missing, as Solaris and some switches print them
  /^[0-9a-f]{1,2}(?::[0-9a-f]{1,2}){5}$/i,
]

function isPartOfMac(text: string): boolean {
  return forms.some((form) => form.test(text))
}

/** Adds leading zeros that a complete address may omit. */
function padded(text: string): string {
  const pairs = text.split(':')
  return pairs.length === 6 ? pairs.map((pair) => pair.padStart(2, '0')).join(':') : text
}
