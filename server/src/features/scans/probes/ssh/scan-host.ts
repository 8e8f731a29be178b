import type { Observation } from '#features/assets/observation.ts'
import type { RawAnswer } from '../probe.ts'
import type { Access, Credential } from '../credential-access.ts'
import { dial, type Place } from './connection/tcp-connect.ts'
import { askDevice, isDevice } from './network-devices/run-device-commands.ts'
import { glimpseFacts, glimpseIdentifiers, keyOfSource } from './unauthenticated-observation.ts'
import { HostFailure } from './connection/host-failure.ts'
import { hostSeen } from './unix/host-observation.ts'
import { seconds, type Limits } from './timeouts-and-limits.ts'
import type { SshCredential } from './connection/login.ts'
import { newGlimpse, openSession, type Door, type Glimpse, type Session } from './connection/session.ts'
import type { Turns } from './concurrency-limit.ts'
import { askUnix } from './unix/run-unix-script.ts'

export interface LookMeans {
  readonly access: Access
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly limits: Limits
  readonly onRaw: (answer: RawAnswer) => void
  /** One host alone is asked for, so that its silence matters. */
  readonly isOne: boolean
  /** Of those that are talked to; many more may be knocked at. */
  readonly turns: Turns
  /** Other ports than the usual one, as credentials name them; grows while hosts are looked at. */
  readonly ports: Set<number>
}

export interface Looked {
  readonly seen?: Observation
  /** Why there is no more than that. */
  readonly failure?: HostFailure
}

const USUAL_PORT = 22

/** Looks at one address. Only the end of the scan is thrown; what is wrong with the host is told. */
export async function look(address: string, means: LookMeans): Promise<Looked> {
  const late = new AbortController()
  const signal = AbortSignal.any([means.signal, late.signal])
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => void (timer = setTimeout(() => late.abort(), means.limits.host))
  const glimpse = newGlimpse()
  const place = { address, port: USUAL_PORT }
  try {
    return { seen: await lookClosely(place, glimpse, { ...means, signal, begin }) }
  } catch (error) {
    means.signal.throwIfAborted()
    const failure = late.signal.aborted ? tooLate(address, means.limits.host) : error
    if (!(failure instanceof HostFailure)) throw error
    const isWorthTelling = glimpse.keys.size > 0 && failure.kind !== 'key'
    return { failure, ...(isWorthTelling && { seen: glimpsed(glimpse, failure, means.now()) }) }
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = (address: string, ms: number): HostFailure =>
  new HostFailure('shell', `${address} took longer than ${seconds(ms)}`)

interface Begun extends LookMeans {
  /** The host's time runs from here, not while others have their turn. */
  readonly begin: () => void
}

async function lookClosely(usual: Place, glimpse: Glimpse, means: Begun): Promise<Observation> {
  const doors = means.isOne ? new Map<number, Door>() : await knock(usual, means)
  const done = await turn(doors, means)
  means.begin()
  try {
    return await enterFirst(usual, doors, glimpse, means)
  } finally {
    done()
    for (const { socket } of doors.values()) socket?.destroy()
  }
}

async function enterFirst(
  usual: Place,
  doors: Map<number, Door>,
  glimpse: Glimpse,
  means: LookMeans,
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
      const door = doors.get(port) ?? { ...usual, port }
      doors.delete(port)
      const session = await shown(door, credential, glimpse, means).catch((error: unknown) => {
        if (!(error instanceof HostFailure) || error.kind === 'key') throw error
        refusals.push(error)
        if (error.kind === 'absent') dead.add(port)
        return undefined
      })
      if (!session) continue
      await release(left.splice(0), usual.address, means.access)
      return await observed(session, { door, credential, glimpse, means })
    }
    throw refusalOf(usual.address, refusals)
  } finally {
    await release(left, usual.address, means.access)
  }
}

/** Which ports the credentials for a range name: asked with its first address, and nothing is shown to that. */
export async function learnPorts(address: string, { access, ports }: LookMeans): Promise<void> {
  const offered = (await access.credentialsFor(address, KINDS)).filter(isForSsh)
  for (const { port } of offered) if (port !== undefined) ports.add(port)
  await release(offered, address, access)
}

const KINDS = ['ssh_password', 'ssh_key'] as const

const isForSsh = (it: Credential): it is SshCredential => it.kind === 'ssh_password' || it.kind === 'ssh_key'

/** A server does not wait for long until somebody speaks; one that would have to is called again. */
const WAIT_MS = 5_000

async function turn(doors: Map<number, Door>, { turns, signal }: LookMeans): Promise<() => void> {
  const since = performance.now()
  const done = await turns.take()
  if (signal.aborted) done()
  signal.throwIfAborted()
  if (performance.now() - since < WAIT_MS) return done
  for (const { socket } of doors.values()) socket?.destroy()
  doors.clear()
  return done
}

/** Of many addresses most are empty: a credential is asked for only where somebody opens. */
async function knock(usual: Place, { ports, signal, limits }: LookMeans): Promise<Map<number, Door>> {
  const doors = new Map<number, Door>()
  const failures: unknown[] = []
  for (const port of new Set([usual.port, ...ports])) {
    try {
      doors.set(port, {
        ...usual,
        port,
        socket: await dial({ ...usual, port }, { signal, limits: { dial: limits.knock } }),
      })
    } catch (error) {
      failures.push(error)
    }
  }
  signal.throwIfAborted()
  if (doors.size === 0) throw ofAllPorts(failures)
  return doors
}

/** Every port that was asked is named, in the order in which they were. */
function ofAllPorts(failures: readonly unknown[]): unknown {
  const [first] = failures
  const told = failures.filter((it) => it instanceof HostFailure)
  if (told.length < Math.max(2, failures.length)) return first
  return new HostFailure('absent', told.map(({ message }) => message).join('; '))
}

/** Shows a credential, and tells what came of it: each that was lent is told of, or it would be waited for. */
async function shown(
  door: Door,
  credential: SshCredential,
  glimpse: Glimpse,
  means: LookMeans,
): Promise<Session> {
  const tell = (outcome: 'accepted' | 'refused' | 'unanswered') =>
    means.access.told(credential, door.address, outcome)
  try {
    const session = await openSession(door, credential, glimpse, means)
    await tell(session.isOpen ? 'unanswered' : 'accepted')
    return session
  } catch (error) {
    await tell(error instanceof HostFailure && error.kind === 'login' ? 'refused' : 'unanswered')
    throw error
  }
}

async function release(unused: readonly Credential[], address: string, access: Access): Promise<void> {
  for (const credential of unused) await access.told(credential, address, 'unanswered')
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

interface Inside {
  readonly door: Place
  readonly credential: SshCredential
  readonly glimpse: Glimpse
  readonly means: LookMeans
}

async function observed(session: Session, inside: Inside): Promise<Observation> {
  const { door, glimpse, means } = inside
  if (isDevice(glimpse)) return await observedDevice(session, inside)
  try {
    const answers = await askUnix(session, means)
    if (answers) {
      for (const [part, { text }] of answers.sections) tellRaw(means, door, part, text)
      return hostSeen(door, glimpse, answers, means.now())
    }
  } finally {
    session.close()
  }
  // it may have ended the connection at a command that it does not know
  const place = { address: door.address, port: door.port }
  return await observedDevice(await openSession(place, inside.credential, glimpse, means), inside)
}

async function observedDevice(session: Session, { door, glimpse, means }: Inside): Promise<Observation> {
  try {
    const tell = (part: string, text: string): void => tellRaw(means, door, part, text)
    return await askDevice(session, door, glimpse, { ...means, tell })
  } finally {
    session.close()
  }
}

/** Enough to judge by; a list of packages goes on. */
const RAW_LENGTH_MAX = 16 * 1_024

function tellRaw({ onRaw }: LookMeans, { address }: Place, part: string, text: string): void {
  if (text.trim() !== '') onRaw({ address, part, text: text.slice(0, RAW_LENGTH_MAX).toWellFormed() })
}

/** A host that let nobody in is there all the same. */
const glimpsed = (glimpse: Glimpse, failure: HostFailure, seenAt: Date): Observation => {
  const [{ address, port } = { address: '', port: 0 }] = glimpse.keys.values()
  const place = { address, port }
  return {
    sourceKey: keyOfSource(place, glimpse),
    seenAt,
    identifiers: glimpseIdentifiers(place, glimpse),
    facts: { ...glimpseFacts(place, glimpse), notes: [failure.message] },
  }
}
