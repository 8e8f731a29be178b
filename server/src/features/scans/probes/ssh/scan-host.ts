import type { Observation } from '#features/assets/observation.ts'
import type { RawAnswer } from '../probe.ts'
import type { Access, Credential } from '../credential-access.ts'
import { dial, type Place } from './connection/tcp-connect.ts'
import { askDevice, isDevice } from './network-devices/run-device-commands.ts'
import { handshakeFacts, handshakeIdentifiers, sourceKeyOf } from './unauthenticated-observation.ts'
import { HostFailure } from './connection/host-failure.ts'
import { unixObservation } from './unix/host-observation.ts'
import { seconds, type Limits } from './timeouts-and-limits.ts'
import type { SshCredential } from './connection/login.ts'
import {
  newHandshakeInfo,
  openSession,
  type SshTarget,
  type HandshakeInfo,
  type Session,
} from './connection/session.ts'
import type { ConcurrencyLimit } from '../sweep/concurrency-limit.ts'
import { askUnix } from './unix/run-unix-script.ts'

export interface HostScanContext {
  readonly access: Access
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly limits: Limits
  readonly onRaw: (answer: RawAnswer) => void
  /** One host alone is asked for, so that its silence matters. */
  readonly isOne: boolean
  /** Limits the hosts with an open session; many more ports may be probed at the same time. */
  readonly limit: ConcurrencyLimit
  /** Other ports than the usual one, as credentials name them; grows while hosts are looked at. */
  readonly ports: Set<number>
}

export interface HostScanResult {
  readonly seen?: Observation
  /** Why there is no more than that. */
  readonly failure?: HostFailure
}

const USUAL_PORT = 22

/** Scans one address. Throws only when the scan itself ends; failures of the host are part of the result. */
export async function scanHost(address: string, means: HostScanContext): Promise<HostScanResult> {
  const late = new AbortController()
  const signal = AbortSignal.any([means.signal, late.signal])
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => void (timer = setTimeout(() => late.abort(), means.limits.host))
  const handshake = newHandshakeInfo()
  const place = { address, port: USUAL_PORT }
  try {
    return { seen: await scanReachable(place, handshake, { ...means, signal, begin }) }
  } catch (error) {
    means.signal.throwIfAborted()
    const failure = late.signal.aborted ? tooLate(address, means.limits.host) : error
    if (!(failure instanceof HostFailure)) throw error
    const isObservable = handshake.keys.size > 0 && failure.kind !== 'key'
    return {
      failure,
      ...(isObservable && { seen: unauthenticatedObservation(handshake, failure, means.now()) }),
    }
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = (address: string, ms: number): HostFailure =>
  new HostFailure('shell', `${address} took longer than ${seconds(ms)}`)

interface TimedContext extends HostScanContext {
  /** Starts the host's time limit: called after the slot was acquired, so that waiting does not count. */
  readonly begin: () => void
}

async function scanReachable(
  usual: Place,
  handshake: HandshakeInfo,
  means: TimedContext,
): Promise<Observation> {
  const targets = means.isOne ? new Map<number, SshTarget>() : await connectPorts(usual, means)
  const done = await acquireSlot(targets, means)
  means.begin()
  try {
    return await logInFirst(usual, targets, handshake, means)
  } finally {
    done()
    for (const { socket } of targets.values()) socket?.destroy()
  }
}

async function logInFirst(
  usual: Place,
  targets: Map<number, SshTarget>,
  handshake: HandshakeInfo,
  means: HostScanContext,
): Promise<Observation> {
  const offered = (await means.access.credentialsFor(usual.address, KINDS)).filter(isForSsh)
  for (const { port } of offered) if (port !== undefined) means.ports.add(port)
  const refusals: HostFailure[] = []
  const dead = new Set<number>()
  let left = offered
  try {
    for (const credential of offered) {
      left = left.slice(1)
      const port = credential.port ?? USUAL_PORT
      if (dead.has(port)) {
        await release([credential], usual.address, means.access)
        continue
      }
      const target = targets.get(port) ?? { ...usual, port }
      targets.delete(port)
      const session = await tryCredential(target, credential, handshake, means).catch((error: unknown) => {
        if (!(error instanceof HostFailure) || error.kind === 'key') throw error
        refusals.push(error)
        if (error.kind === 'absent') dead.add(port)
        return undefined
      })
      if (!session) continue
      await release(left.splice(0), usual.address, means.access)
      return await observed(session, { target, credential, handshake, means })
    }
    throw refusalOf(usual.address, refusals)
  } finally {
    await release(left, usual.address, means.access)
  }
}

/** Collects the ports that the credentials of a range name: looked up for its first address, without connecting to it. */
export async function learnPorts(address: string, { access, ports }: HostScanContext): Promise<void> {
  const offered = (await access.credentialsFor(address, KINDS)).filter(isForSsh)
  for (const { port } of offered) if (port !== undefined) ports.add(port)
  await release(offered, address, access)
}

const KINDS = ['ssh_password', 'ssh_key'] as const

const isForSsh = (it: Credential): it is SshCredential => it.kind === 'ssh_password' || it.kind === 'ssh_key'

/** A server does not wait for long until somebody speaks; one that would have to is called again. */
const WAIT_MS = 5_000

async function acquireSlot(
  targets: Map<number, SshTarget>,
  { limit, signal }: HostScanContext,
): Promise<() => void> {
  const since = performance.now()
  const done = await limit.acquire()
  if (signal.aborted) done()
  signal.throwIfAborted()
  if (performance.now() - since < WAIT_MS) return done
  for (const { socket } of targets.values()) socket?.destroy()
  targets.clear()
  return done
}

/** Most addresses of a range are unused: a credential is asked for only where a port is open. */
async function connectPorts(
  usual: Place,
  { ports, signal, limits, access }: HostScanContext,
): Promise<Map<number, SshTarget>> {
  const targets = new Map<number, SshTarget>()
  const failures: unknown[] = []
  for (const port of new Set([usual.port, ...ports])) {
    try {
      targets.set(port, {
        ...usual,
        port,
        socket: await dial({ ...usual, port }, { signal, access, limits: { dial: limits.portProbe } }),
      })
    } catch (error) {
      failures.push(error)
    }
  }
  signal.throwIfAborted()
  if (targets.size === 0) throw ofAllPorts(failures)
  return targets
}

/** Every port that was asked is named, in the order in which they were. */
function ofAllPorts(failures: readonly unknown[]): unknown {
  const [first] = failures
  const reported = failures.filter((it) => it instanceof HostFailure)
  if (reported.length < Math.max(2, failures.length)) return first
  return new HostFailure('absent', reported.map(({ message }) => message).join('; '))
}

/** Tries a credential and records the outcome. Every credential handed out needs an outcome, or its lock is held. */
async function tryCredential(
  target: SshTarget,
  credential: SshCredential,
  handshake: HandshakeInfo,
  means: HostScanContext,
): Promise<Session> {
  const record = (outcome: 'accepted' | 'refused' | 'unanswered') =>
    means.access.recordOutcome(credential, target.address, outcome)
  try {
    const session = await openSession(target, credential, handshake, means)
    await record(session.isOpen ? 'unanswered' : 'accepted')
    return session
  } catch (error) {
    await record(error instanceof HostFailure && error.kind === 'login' ? 'refused' : 'unanswered')
    throw error
  }
}

async function release(unused: readonly Credential[], address: string, access: Access): Promise<void> {
  for (const credential of unused) await access.recordOutcome(credential, address, 'unanswered')
}

/** Refusals say more than silence, and silence more than nothing. */
function refusalOf(address: string, refusals: readonly HostFailure[]): HostFailure {
  const said = refusals.filter(({ kind }) => kind !== 'absent')
  const named = said.length > 0 ? said : refusals
  const [first] = named
  if (!first)
    return new HostFailure(
      'credential',
      `no credential may be shown to ${address} over SSH: none is bound to it, or those that are have been set aside`,
    )
  return new HostFailure(first.kind, [...new Set(named.map(({ message }) => message))].join('; '))
}

interface LoggedIn {
  readonly target: Place
  readonly credential: SshCredential
  readonly handshake: HandshakeInfo
  readonly means: HostScanContext
}

async function observed(session: Session, login: LoggedIn): Promise<Observation> {
  const { target, handshake, means } = login
  if (isDevice(handshake)) return await observedDevice(session, login)
  try {
    const answers = await askUnix(session, means)
    if (answers) {
      for (const [part, { text }] of answers.sections) reportRaw(means, target, part, text)
      return unixObservation(target, handshake, answers, means.now())
    }
  } finally {
    session.close()
  }
  // it may have ended the connection at a command that it does not know
  const place = { address: target.address, port: target.port }
  return await observedDevice(await openSession(place, login.credential, handshake, means), login)
}

async function observedDevice(
  session: Session,
  { target, handshake, means }: LoggedIn,
): Promise<Observation> {
  try {
    const onAnswer = (part: string, text: string): void => reportRaw(means, target, part, text)
    return await askDevice(session, target, handshake, { ...means, onAnswer })
  } finally {
    session.close()
  }
}

/** Enough to judge by; a list of packages goes on. */
const RAW_LENGTH_MAX = 16 * 1_024

function reportRaw({ onRaw }: HostScanContext, { address }: Place, part: string, text: string): void {
  if (text.trim() !== '') onRaw({ address, part, text: text.slice(0, RAW_LENGTH_MAX).toWellFormed() })
}

/** A host that let nobody in is there all the same. */
const unauthenticatedObservation = (
  handshake: HandshakeInfo,
  failure: HostFailure,
  seenAt: Date,
): Observation => {
  const [{ address, port } = { address: '', port: 0 }] = handshake.keys.values()
  const place = { address, port }
  return {
    sourceKey: sourceKeyOf(place, handshake),
    seenAt,
    identifiers: handshakeIdentifiers(place, handshake),
    facts: { ...handshakeFacts(place, handshake), notes: [failure.message] },
  }
}
