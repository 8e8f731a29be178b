import { lookup } from 'node:dns/promises'
import type { Observation } from '#features/assets/observation.ts'
import type { Access, WinRm } from './access.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import { collect } from './wmi/collect.ts'
import { originOf, type Pin, type Place } from './wmi/connection.ts'
import { accountOf, openSession, SignInRefused, usualPort, type Session } from './wmi/session.ts'
import { NoSoap, SoapFault } from './wmi/soap.ts'
import { wsman } from './wmi/wsman.ts'

/**
 * Reads a Windows host through WMI over WS-Management: over TLS, or over plain HTTP with every message sealed by
 * NTLM. It only reads, starts no process there, and never sends a password in the clear.
 */
export const wmi: Probe = {
  type: 'wmi',
  title: 'Windows management',
  accepts: (target) => target.kind === 'host' || 'wmi scans look at one host',
  run,
}

/** Whatever the host does: a scan of one host is over by then. */
const SCAN_TIMEOUT_MS = 15 * 60_000

async function* run(target: ProbeTarget, options: ProbeOptions): AsyncGenerator<Observation> {
  if (target.kind !== 'host' || !options.access)
    throw new ProbeFailure('wmi scans look at one host, signed in')
  const { now, onProgress, access } = options
  const address = await addressOf(target.host)
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SCAN_TIMEOUT_MS)])
  const tell = (done: number): void =>
    onProgress?.({ done, total: 1, found: done, ratePerSecond: 0, remainingSeconds: 0 })
  tell(0)
  try {
    const { session, place } = await signedIn(address, access, { signal, now })
    try {
      const service = wsman(`${originOf(place)}/wsman`, session.exchange)
      yield await collect(service, { address, now })
    } finally {
      await session.close()
    }
    tell(1)
  } catch (error) {
    options.signal.throwIfAborted()
    if (signal.aborted) throw new ProbeFailure(`${target.host} took longer than 15 minutes`)
    if (error instanceof NoSoap)
      throw new ProbeFailure(`${target.host} answered what is not WS-Management: ${error.message}`)
    if (error instanceof SoapFault) throw new ProbeFailure(deniedOr(target.host, error))
    throw error
  }
}

interface Means {
  readonly signal: AbortSignal
  readonly now: () => Date
}

async function signedIn(
  address: string,
  access: Access,
  means: Means,
): Promise<{ session: Session; place: Place }> {
  const offered = (await access.credentialsFor(address, ['winrm'])).filter((it) => it.kind === 'winrm')
  if (offered.length === 0)
    throw new ProbeFailure(
      `no credential of kind winrm may be shown to ${address}; add one that is bound to it`,
    )
  let unreachable: ProbeFailure | undefined
  for (const credential of offered) {
    const place = placeOf(address, credential)
    try {
      const account = accountOf(credential.username, credential.password)
      const session = await openSession(place, account, { ...means, pin: pinning(place, access) })
      await access.told(credential, address, 'accepted')
      return { session, place }
    } catch (error) {
      await access.told(credential, address, error instanceof SignInRefused ? 'refused' : 'unanswered')
      if (error instanceof ProbeFailure) unreachable = error
      else if (!(error instanceof SignInRefused)) throw error
    }
  }
  throw unreachable ?? new ProbeFailure(refusal(address, offered))
}

const placeOf = (address: string, { transport, port }: WinRm): Place => ({
  address,
  transport,
  port: port ?? usualPort(transport),
})

const pinning =
  ({ address, port }: Place, access: Access): Pin =>
  async (fingerprint) => {
    const known = await access.knowHostKey({ address, port, algorithm: 'tls', fingerprint })
    if (known === 'changed')
      throw new ProbeFailure(
        `the certificate of ${address}:${port} is another than before (now ${fingerprint}); nothing was sent to it. ` +
          'If the change was meant, accept the new one, then scan again',
      )
  }

const refusal = (address: string, tried: readonly WinRm[]): string =>
  `${address} refused to sign in ${tried.map((it) => it.username).join(' and ')}; ` +
  'the password is wrong, or the account may not manage it remotely'

const deniedOr = (host: string, { code, message }: SoapFault): string =>
  code === 'AccessDenied'
    ? `${host} let the account in but not at WMI: ${message}; it must be a member of Remote Management Users and ` +
      'be enabled on root/cimv2'
    : `${host} answered a question with a fault: ${message}`

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch {
    throw new ProbeFailure(
      `the host name ${host} does not resolve; check the name and this machine's name servers`,
    )
  }
}
