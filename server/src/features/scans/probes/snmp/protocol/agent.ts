import { randomInt } from 'node:crypto'
import type { SnmpCommunity, SnmpUser } from '../../credential-access.ts'
import type { Channel, WaitOptions } from './udp-channel.ts'
import { SnmpFault } from './snmp-error.ts'
import {
  readCommunityMessage,
  readUserMessage,
  writeCommunityMessage,
  writeUserMessage,
  type Envelope,
  type UserMessage,
} from './message.ts'
import type { Answer, Question, Variable } from './pdu.ts'
import { keysOf, type EngineTime, type Keys } from './user-security-model.ts'
import { reportIn, type Report } from './engine-reports.ts'

/** An SNMP agent with version and credential fixed. */
export interface Agent {
  readonly version: '1' | '2c' | '3'
  readonly engineId?: Buffer
  /** Throws `SnmpFault`, or the reason of the signal. */
  readonly ask: (question: Question, patience?: WaitOptions) => Promise<readonly Variable[]>
}

/** Some printers and old switches think for seconds. */
const PATIENCE: WaitOptions = { firstMs: 2_000, tries: 3 }
const ID_MAX = 0x7fff_ffff
/** A clock may be wrong at first, and once more when the device restarts while it is asked. */
const CLOCK_CORRECTIONS_MAX = 2

export function communityAgent(channel: Channel, { version, community }: SnmpCommunity): Agent {
  const number = version === '1' ? 0 : 1
  return {
    version,
    async ask(question, patience = PATIENCE) {
      const id = newId()
      const packet = writeCommunityMessage({ version: number, community }, id, question)
      const answer = await channel.exchange(packet, patience, (message) => {
        const read = readCommunityMessage(number, message)
        return read?.id === id && !read.isReport ? read : undefined
      })
      return variablesOf(answer)
    },
  }
}

/** Discovers the engine id and its clock without sending a secret (RFC 3414, 4). Throws `SnmpFault`. */
export async function discover(channel: Channel, patience: WaitOptions = PATIENCE): Promise<Engine> {
  const nobody = { user: '', engineId: Buffer.alloc(0), at: { boots: 0, time: 0 }, keys: {}, context: '' }
  const { message } = await exchangeUser(channel, { ...nobody, id: newId() }, noQuestion, patience)
  if (message.engineId.length < ENGINE_ID_OCTETS_MIN)
    throw new SnmpFault('failed', 'the agent tells no engine id')
  return { engineId: Buffer.from(message.engineId), at: message.at }
}

export interface Engine {
  readonly engineId: Buffer
  readonly at: EngineTime
}

const ENGINE_ID_OCTETS_MIN = 5
const noQuestion: Question = { kind: 'get', oids: [] }

export function userAgent(channel: Channel, user: SnmpUser, engine: Engine): Agent {
  const keys = keysOf(user, engine.engineId)
  const clock = new Clock(engine.at)
  const { engineId } = engine
  const ask = async (
    question: Question,
    patience: WaitOptions,
    correctionsLeft: number,
  ): Promise<readonly Variable[]> => {
    const { username, context = '' } = user
    const envelope = { user: username, engineId, at: clock.now, keys, context, id: newId() }
    const { message, report } = await exchangeUser(channel, envelope, question, patience)
    if (message.isAuthentic) clock.heard(message.at)
    if (report?.isClock && message.isAuthentic && correctionsLeft > 0)
      return ask(question, patience, correctionsLeft - 1)
    if (report) throw new SnmpFault('refused', report.text)
    return variablesOf(message.answer)
  }
  return {
    version: '3',
    engineId,
    ask: (question, patience = PATIENCE) => ask(question, patience, CLOCK_CORRECTIONS_MAX),
  }
}

interface Heard {
  readonly message: UserMessage
  readonly report: Report | undefined
}

/**
 * The answer to this message, or the report about it. Where the user signs and encrypts, an answer that does not is
 * passed over: anybody could have sent it. A report may come in clear, for the agent may not know the user.
 */
async function exchangeUser(
  channel: Channel,
  envelope: Envelope,
  question: Question,
  patience: WaitOptions,
): Promise<Heard> {
  const { id, keys, user, engineId } = envelope
  return channel.exchange(writeUserMessage(envelope, question), patience, (packet) => {
    const message = readUserMessage(keys, packet)
    if (message.id !== id) return undefined
    if (message.answer.isReport) return { message, report: reportIn(message.answer) }
    const isOurs = message.answer.id === id && message.user === user && message.engineId.equals(engineId)
    return isOurs && isSafeEnough(message, keys) ? { message, report: undefined } : undefined
  })
}

const isSafeEnough = (message: UserMessage, keys: Keys): boolean =>
  (message.isAuthentic || !keys.auth) && (message.wasSealed || !keys.privacy)

/** What time it is at the engine (RFC 3414, 2.3): heard once, and gone on since. */
class Clock {
  #at: EngineTime
  #heardAt = performance.now()

  constructor(at: EngineTime) {
    this.#at = at
  }

  get now(): EngineTime {
    if (this.#at.boots === 0 && this.#at.time === 0) return this.#at
    const passed = Math.floor((performance.now() - this.#heardAt) / 1000)
    return { boots: this.#at.boots, time: Math.min(this.#at.time + passed, ID_MAX) }
  }

  heard(at: EngineTime): void {
    const isLater = at.boots > this.#at.boots || (at.boots === this.#at.boots && at.time > this.#at.time)
    if (!isLater) return
    this.#at = at
    this.#heardAt = performance.now()
  }
}

const newId = (): number => randomInt(1, ID_MAX)

function variablesOf({ errorStatus, errorIndex, variables }: Answer): readonly Variable[] {
  switch (errorStatus) {
    case 0:
      return variables
    case 1:
      throw new SnmpFault('tooBig', 'the answer would be too big')
    case 2:
      throw new SnmpFault('noSuchName', 'there is no such thing', errorIndex - 1)
    case 16:
      throw new SnmpFault('refused', 'this community or user may not read here')
    default:
      throw new SnmpFault('failed', `the agent answers with error ${errorStatus}`)
  }
}
