import type { Access, WinRm } from '../credential-access.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { ProbeFailure } from '../probe.ts'
import { CertificateNotTrusted } from '../tls/pinned-certificate.ts'
import { originOf, type Place } from './http-connection.ts'
import { accountOf, openSession, SignInRefused, usualPort, type Session } from './session.ts'
import { NoSoap, SoapFault } from './soap.ts'
import { wsman, type Wsman } from './wsman.ts'

export interface Means {
  readonly access: Access
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** Signs in with the first credential that is accepted, and signs out when `work` is done. */
export async function* signedIn<T>(
  address: string,
  means: Means,
  work: (service: Wsman) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { session, place } = await letIn(address, means)
  try {
    yield* work(wsman(`${originOf(place)}/wsman`, session.exchange))
  } catch (error) {
    if (error instanceof NoSoap)
      throw new ProbeFailure(`${address} answered what is not WS-Management: ${error.message}`)
    if (error instanceof SoapFault) throw new ProbeFailure(deniedOr(address, error))
    throw error
  } finally {
    await session.close()
  }
}

async function letIn(address: string, means: Means): Promise<{ session: Session; place: Place }> {
  const { access } = means
  const offered = (await access.credentialsFor(address, ['winrm'])).filter((it) => it.kind === 'winrm')
  if (offered.length === 0)
    throw new ProbeFailure(
      `no credential of kind winrm may be shown to ${address}; add one that is bound to it`,
    )
  let unreachable: ProbeFailure | undefined
  for (const credential of offered) {
    if (unreachable instanceof CertificateNotTrusted) {
      await access.recordOutcome(credential, address, 'unanswered')
      continue
    }
    const place = placeOf(address, credential)
    try {
      const session = await openSession(place, accountOf(credential), {
        ...means,
        access: hostCheckFor(access, credential),
      })
      await access.recordOutcome(credential, address, 'accepted')
      return { session, place }
    } catch (error) {
      await access.recordOutcome(
        credential,
        address,
        error instanceof SignInRefused ? 'refused' : 'unanswered',
      )
      if (error instanceof ProbeFailure) unreachable = error
      else if (!(error instanceof SignInRefused)) throw error
    }
  }
  throw unreachable ?? new ProbeFailure(refusal(address, offered))
}

/** Where the credential says that the service listens. */
export const placeOf = (address: string, { transport, port }: WinRm): Place => ({
  address,
  transport,
  port: port ?? usualPort(transport),
})

const refusal = (address: string, tried: readonly WinRm[]): string =>
  `${address} refused to sign in ${tried.map((it) => it.username).join(' and ')}; ` +
  'the password is wrong, or the account may not manage it remotely'

const deniedOr = (host: string, { code, message }: SoapFault): string =>
  code === 'AccessDenied'
    ? `${host} let the account in but not at WMI: ${message}; it must be a member of Remote Management Users and ` +
      'be enabled on root/cimv2'
    : `${host} answered a question with a fault: ${message}`
