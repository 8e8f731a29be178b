import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canonicalAddress, parseException, type AddressException } from './address-exceptions.ts'
import { GLOBAL_UNICAST_IPV6, ranges, SPECIAL_IPV4, SPECIAL_IPV6, TUNNELS } from './address-ranges.ts'

export type Decision =
  | {
      readonly allowed: true
      /** Admitted by an administrator's exception: not a public address. */
      readonly excepted: boolean
    }
  | {
      readonly allowed: false
      /** For logs and operators; never shown to whoever chose the destination. */
      readonly reason: string
    }

/** Which addresses this process may connect to: global unicast, and what the administrator excepts. */
export interface AddressPolicy {
  /** `ip` is a literal without brackets; `host` is the name that it was resolved from, in lower case. */
  readonly decide: (ip: string, port: number, host?: string) => Decision
  /** Whether an exception names this host, which then resolves as the operating system resolves it. */
  readonly exceptsHost: (host: string, port: number) => boolean
}

/** A listening socket of this installation. */
export interface Listener {
  readonly host: string
  readonly port: number
}

/**
 * Cloud instance metadata services return credentials, so no range and no host name admits them, only an exception for
 * the exact address: AWS, Google, Azure, OpenStack and others; AWS over IPv6; Alibaba; Azure's wire server.
 */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
])

/** ISATAP (RFC 5214 §6.1): the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
const ISATAP = /:(?:0|200)?:5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/

/**
 * `exceptions` as `parseException` reads them. The listeners are never a destination, excepted or not; the list may
 * grow, since a port is known late when the operating system chooses it.
 */
export function addressPolicy(exceptions: readonly string[], own: readonly Listener[] = []): AddressPolicy {
  const parsed = exceptions.map(parseException)
  const excepts = (port: number, matches: (it: AddressException) => boolean) =>
    parsed.some((it) => (it.port === undefined || it.port === port) && matches(it))
  const exceptsHost = (host: string, port: number) => excepts(port, (it) => it.host === host)
  return {
    exceptsHost,
    decide(text, port, host) {
      const ip = canonicalAddress(text)
      if (ip === undefined) return refused('not an address')
      const tunnel = tunnelOf(ip)
      if (tunnel !== undefined) return refused(tunnel)
      if (own.some((it) => it.port === port && isAt(it, ip))) return refused('this service itself')
      if (excepts(port, (it) => admits(it, ip, host))) return { allowed: true, excepted: true }
      const special = METADATA.has(ip) ? 'instance metadata' : specialPurpose(ip)
      return special === undefined ? { allowed: true, excepted: false } : refused(special)
    },
  }
}

const refused = (reason: string): Decision => ({ allowed: false, reason })

function admits(exception: AddressException, ip: string, host: string | undefined): boolean {
  if (METADATA.has(ip)) return exception.single === ip
  if (exception.host !== undefined) return exception.host === host
  return exception.range?.nameOf(ip) !== undefined
}

function tunnelOf(ip: string): string | undefined {
  if (isIP(ip) === 4 || ip === '::1' || ip === '::') return undefined
  return TUNNELS.nameOf(ip) ?? (ISATAP.test(ip) ? 'ISATAP (RFC 5214)' : undefined)
}

function specialPurpose(ip: string): string | undefined {
  if (isIP(ip) === 4) return SPECIAL_IPV4.nameOf(ip)
  if (GLOBAL_UNICAST_IPV6.nameOf(ip) === undefined) return 'outside global unicast (RFC 4291)'
  return SPECIAL_IPV6.nameOf(ip)
}

const LOOPBACK = ranges([['127.0.0.0/8', 'loopback']])

/** A socket bound to the unspecified address is reached by every address of the machine. */
function isAt({ host }: Listener, ip: string): boolean {
  if (host === 'localhost') return isLoopback(ip)
  if (host !== '0.0.0.0' && host !== '::') return ip === canonicalAddress(host)
  const mine = Object.values(networkInterfaces()).flatMap((them) => them?.map((it) => it.address) ?? [])
  return isLoopback(ip) || mine.includes(ip) || ip === '0.0.0.0' || ip === '::'
}

const isLoopback = (ip: string): boolean => ip === '::1' || LOOPBACK.nameOf(ip) !== undefined
