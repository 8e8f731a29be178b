import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Net } from '#platform/egress/net.ts'
import type { Log } from '#platform/observability/log.ts'
import { AssignedWork, type ReceivedAnswer } from './assigned-work.ts'
import {
  collectorIdentity,
  forgetIdentity,
  noteEnrolled,
  type CollectorIdentity,
} from './collector-identity.ts'
import { ServerConnection, ServerRefusal, type Answer } from './server-connection.ts'

const RETRY_MS = 2_000
/** How long a process that is asked to stop waits for its probes. */
const END_MS = 3_000

interface Server {
  readonly connection: ServerConnection
  readonly identity: CollectorIdentity
}

export interface CollectorProcess {
  /** `https://host` */
  readonly server: string
  /** Needed until it has enrolled. */
  readonly secret: string | undefined
  /** Where its identity is kept. */
  readonly folder: string
  readonly version: string
  readonly net: Net
  readonly log: Log
  /** Does one piece of work and says how it ended; does not throw. */
  readonly carryOut: (work: unknown, assigned: AssignedWork) => Promise<void>
  readonly signal: AbortSignal
  /** Called once, when the server knows it. */
  readonly onEnrolled?: (collectorId: string) => Promise<void>
}

/** Asks the server for work and carries it out until the signal aborts. Throws when the server does not want it. */
export async function runCollector(options: CollectorProcess): Promise<void> {
  try {
    await runEnrolled(options)
  } catch (error) {
    if (!(error instanceof ServerRefusal && isGone(error)) || options.secret === undefined) throw error
    // the collector that it was is no more, and there is a secret to become another with
    await forgetIdentity(options.folder)
    await runEnrolled(options).catch((second: unknown) => {
      throw second instanceof ServerRefusal && second.code === 'forbidden' ? error : second
    })
  }
}

async function runEnrolled(options: CollectorProcess): Promise<void> {
  const { server, folder, net, log, signal, version } = options
  const identity = await collectorIdentity(folder)
  const connection = new ServerConnection(server, identity, net)
  const collectorId = identity.collectorId ?? (await enrol(options, identity, connection))
  if (collectorId === undefined) return
  await options.onEnrolled?.(collectorId)
  const work = new WorkAtHand(options, { connection, identity })
  let received: readonly Answer[] = []
  while (!signal.aborted) {
    try {
      const { process, running } = work
      const news = await connection.call('poll', { process, version, running, received }, signal)
      if (!Array.isArray(news['assignments'])) throw new Error('the server answered in another protocol')
      received = await work.take(news)
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof ServerRefusal && (isGone(error) || error.code === 'superseded')) throw error
      log.warn({ err: error }, 'the server is not reached; trying again')
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  await work.end()
}

/** Revoked, or unknown: only a person can mend that. */
const isGone = ({ code }: ServerRefusal): boolean => code === 'unknown_key' || code === 'revoked'

/** The assignments of one process, until the server says that they are over. */
class WorkAtHand {
  readonly process = randomUUID()
  readonly #options: CollectorProcess
  readonly #server: Server
  readonly #assigned = new Map<string, { readonly assigned: AssignedWork; readonly done: Promise<void> }>()

  constructor(options: CollectorProcess, server: Server) {
    this.#options = options
    this.#server = server
  }

  /** Ended ones too: else the server would give them out again before it has read their last message. */
  get running(): readonly string[] {
    return [...this.#assigned.keys()]
  }

  /** Answers what is to be told as received. */
  async take(news: Answer): Promise<readonly Answer[]> {
    const received: Answer[] = []
    for (const { assignment, ...answer } of listIn(news['answers'])) {
      await this.#assigned.get(String(assignment))?.assigned.answered(answer as unknown as ReceivedAnswer)
      received.push({ assignment, number: answer['number'] })
    }
    for (const id of idsIn(news['over'])) {
      this.#assigned.get(id)?.assigned.stop()
      this.#assigned.delete(id)
    }
    for (const { id, work } of listIn(news['assignments'])) this.#begin(String(id), work)
    return received
  }

  async end(): Promise<void> {
    const all = [...this.#assigned.values()]
    for (const { assigned } of all) assigned.stop()
    await Promise.race([Promise.all(all.map(({ done }) => done)), sleep(END_MS)])
  }

  #begin(id: string, work: unknown): void {
    if (this.#assigned.has(id)) return
    const assigned = new AssignedWork(id, this.process, this.#server)
    const done = this.#options
      .carryOut(work, assigned)
      .then(() => assigned.sent())
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'work of a collector'))
    this.#assigned.set(id, { assigned, done })
  }
}

/** Undefined when the signal aborted before. A server that is not there yet is waited for. */
async function enrol(
  { secret, version, folder, log, signal }: CollectorProcess,
  { publicKey, exchangeKey }: CollectorIdentity,
  connection: ServerConnection,
): Promise<string | undefined> {
  if (secret === undefined)
    throw new Error('COLLECTOR_SECRET is missing: rollcall collector create makes one on the server')
  const { kty, crv, x } = exchangeKey
  const body = {
    secret,
    version,
    public_key: publicKey.toString('base64'),
    exchange_key: { kty, crv, x },
  }
  while (!signal.aborted) {
    try {
      const { collector_id: id } = await connection.call('enrol', body, signal)
      if (typeof id !== 'string') throw new Error('the server answered in another protocol')
      await noteEnrolled(folder, id)
      return id
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof ServerRefusal && error.status < 500 && error.status !== 429) throw error
      log.warn({ err: error }, 'the server is not reached; trying again')
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

const listIn = (value: unknown): Answer[] => (Array.isArray(value) ? (value as Answer[]) : [])

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : []
