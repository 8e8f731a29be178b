import type { WinRm } from '../credential-access.ts'
import { ProbeFailure } from '../probe.ts'
import {
  openConnection,
  originOf,
  type Answer,
  type Connection,
  type ConnectionMeans,
  type Place,
} from './http-connection.ts'
import { authenticate, channelBinding, negotiate, NtlmError, type Account } from './ntlm.ts'
import { openedBody, sealedBody, SEALED_TYPE } from './sealed-body.ts'
import type { Sealing } from './ntlm-sealing.ts'

/** A signed-in user of WS-Management at one host. */
export interface Session {
  /** Sends an envelope and answers the envelope that came back. One at a time. */
  readonly exchange: (envelope: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** The host knows no such account, or not with this password. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}

export interface SessionMeans extends ConnectionMeans {
  readonly now: () => Date
}

/** A host that closes its connections is signed in to again, so often. All that is asked may be asked twice. */
const SIGN_INS_MAX = 3
const SOAP_TYPE = 'application/soap+xml;charset=UTF-8'

/** Throws `SignInRefused`, or a `ProbeFailure` when it never came to that. */
export async function openSession(place: Place, account: Account, means: SessionMeans): Promise<Session> {
  let at = await signIn(place, account, means)
  let signIns = 1
  const again = async (): Promise<SignedIn> => {
    await at.connection.close()
    if (signIns++ >= SIGN_INS_MAX)
      throw new ProbeFailure(`${originOf(place)} ended the session ${SIGN_INS_MAX} times`)
    return signIn(place, account, means)
  }
  const exchange = async (envelope: string): Promise<string> => {
    if (at.connection.isLost()) at = await again()
    const answer = await post(at, place, envelope).catch((error: unknown) => {
      if (!at.connection.isLost()) throw error
    })
    if (!answer || answer.status === 401) {
      at = await again()
      return exchange(envelope)
    }
    const { status, contentType, body } = answer
    if (place.transport === 'https') return body.toString('utf8')
    if (!/^multipart\/encrypted\b/i.test(contentType))
      throw new ProbeFailure(`${originOf(place)} answered ${status} without encryption`)
    return opened(at.sealing, body, place)
  }
  return { exchange, close: () => at.connection.close() }
}

function post({ connection, sealing }: SignedIn, { transport }: Place, envelope: string): Promise<Answer> {
  return transport === 'https'
    ? connection.post({ 'content-type': SOAP_TYPE }, envelope)
    : connection.post({ 'content-type': SEALED_TYPE }, sealedBody(sealing, envelope))
}

interface SignedIn {
  readonly connection: Connection
  readonly sealing: Sealing
}

async function signIn(place: Place, account: Account, means: SessionMeans): Promise<SignedIn> {
  const connection = openConnection(place, means)
  try {
    const first = negotiate()
    const { status, offers } = await connection.post(authorization(first), '')
    if (status !== 401)
      throw new ProbeFailure(`${originOf(place)} answered ${status} to a sign-in; is it Windows?`)
    const challenge = tokenIn(offers)
    if (!challenge) throw new ProbeFailure(noNtlm(place, offers))
    const certificate = connection.certificate()
    const { message, sealing } = authenticate({
      account,
      negotiate: first,
      challenge,
      servicePrincipal: `HTTP/${place.address}`,
      ...(certificate && { binding: channelBinding(certificate) }),
      now: means.now(),
    })
    const answer = await connection.post(authorization(message), '')
    if (answer.status === 401 || answer.status === 403) throw new SignInRefused()
    if (answer.status >= 300)
      throw new ProbeFailure(`${originOf(place)} answered ${answer.status} to a sign-in`)
    return { connection, sealing }
  } catch (error) {
    await connection.close()
    throw error instanceof NtlmError ? new ProbeFailure(`${originOf(place)}: ${error.message}`) : error
  }
}

const authorization = (token: Buffer): Record<string, string> => ({
  'content-type': SOAP_TYPE,
  authorization: `Negotiate ${token.toString('base64')}`,
})

function tokenIn(offers: readonly string[]): Buffer | undefined {
  const found = offers.map((it) => /^(?:Negotiate|NTLM) ([\w+/=]+)$/i.exec(it.trim())?.[1]).find(Boolean)
  return found === undefined ? undefined : Buffer.from(found, 'base64')
}

/** Never falls back to a password in the clear. */
function noNtlm(place: Place, offers: readonly string[]): string {
  const names = offers.map((it) => it.trim().split(' ')[0] ?? '').filter((it) => /^[A-Za-z]+$/.test(it))
  const offered = [...new Set(names)].join(', ') || 'nothing'
  return `${originOf(place)} does not take NTLM (it offers ${offered}); set Auth/Negotiate to true in its WinRM service`
}

function opened(sealing: Sealing, body: Buffer, place: Place): string {
  try {
    return openedBody(sealing, body)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProbeFailure(`an answer of ${originOf(place)} ${reason}`)
  }
}

/** `user`, `DOMAIN\user`, or `user@domain`: the last is passed on as it is, with an empty domain. */
export function accountOf({ username, password }: Pick<WinRm, 'username' | 'password'>): Account {
  const [, domain, user] = /^([^\\]*)\\(.*)$/s.exec(username) ?? []
  if (user !== undefined) return { username: user, domain: domain === '.' ? '' : (domain ?? ''), password }
  return { username, domain: '', password }
}

export const usualPort = (transport: Place['transport']): number => (transport === 'https' ? 5986 : 5985)
