import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'
import type { FailureCode } from './failures.ts'
import type { Dns } from './dns.ts'

export type CheckedAddresses =
  | {
      readonly addresses: readonly string[]
      /** Admitted only by an administrator's exception. */
      readonly isPrivate: boolean
    }
  | {
      readonly fault: FailureCode
      /** For logs and operators; never shown to whoever chose the destination. */
      readonly reason?: string
    }

/** Without the brackets of an IPv6 literal and the dot that ends a fully qualified name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** Any refused address refuses the host: an answer that mixes them is an attempt to get in. */
export async function resolveAndCheck(
  policy: AddressPolicy,
  names: Dns,
  url: URL,
): Promise<CheckedAddresses> {
  const host = hostOf(url)
  const port = portOf(url)
  const addresses = await addressesOf(policy, names, host, port)
  if (addresses.length === 0) return { fault: 'host_not_found' }
  let isPrivate = false
  for (const ip of addresses) {
    const decision = policy.decide(ip, port, host)
    if (!decision.allowed) return { fault: 'address_refused', reason: `${ip}: ${decision.reason}` }
    isPrivate ||= decision.excepted
  }
  return { addresses, isPrivate }
}

async function addressesOf(
  policy: AddressPolicy,
  names: Dns,
  host: string,
  port: number,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return policy.exceptsHost(host, port) ? names.resolveLocally(host) : names.resolve(host)
}
