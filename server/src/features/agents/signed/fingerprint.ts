import { sha256 } from '#platform/secrets/random-keys.ts'
import type { Texts } from './signed-agent-store.ts'

const PARTS_MAX = 64
const DIGEST_BYTES = 16

/**
 * Digests by part of the hardware, such as `serial` and `mac eth0`; what has another form is left out. They are salted with
 * the tenant: equal hardware of two tenants has no equal digests.
 */
export function fingerprintIn(value: unknown, tenantId: string): Texts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const parts = Object.entries(value as Record<string, unknown>).filter(
    (part): part is [string, string] =>
      /^[\w .:-]{1,64}$/.test(part[0]) && typeof part[1] === 'string' && /^[0-9a-f]{32}$/.test(part[1]),
  )
  return Object.fromEntries(
    parts.slice(0, PARTS_MAX).map(([part, digest]) => [part, salted(digest, tenantId)]),
  )
}

const salted = (digest: string, tenantId: string): string =>
  sha256(`rollcall-fingerprint-1\n${tenantId}\n${digest}`).subarray(0, DIGEST_BYTES).toString('hex')

/**
 * Whether the hardware is another: fewer than half of the parts that are known are told with the same digest. Parts are
 * compared by their digests, so that an interface with another name is still the same card. Nothing known says nothing.
 */
export function isOtherHost(known: Texts, told: Texts): boolean {
  const [before, now] = [new Set(Object.values(known)), new Set(Object.values(told))]
  if (before.size === 0 || now.size === 0) return false
  return [...before].filter((it) => now.has(it)).length * 2 < before.size
}

/**
 * What is known after a report of the same host. Parts that were not told stay, but of network cards only those that were
 * told last: docks and adapters come and go.
 */
export function knownAfter(known: Texts, told: Texts): Texts {
  const tellsCards = Object.keys(told).some(isCard)
  const staying = Object.entries(known).filter(([part]) => !tellsCards || !isCard(part))
  return { ...Object.fromEntries(staying), ...told }
}

const isCard = (part: string): boolean => part.startsWith('mac ')
