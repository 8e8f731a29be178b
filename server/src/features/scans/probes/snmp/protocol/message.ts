import { element, integer, Malformed, octets, Reader, tags } from './ber.ts'
import { readPdu, writePdu, type Answer, type Question } from './pdu.ts'
import {
  codeOf,
  emptyCode,
  isAuthentic,
  seal,
  unseal,
  type EngineTime,
  type Keys,
} from './user-security-model.ts'

const VERSION_3 = 3
const USER_SECURITY_MODEL = 3
const MESSAGE_OCTETS_MAX = 65_507
const FLAG_AUTH = 1
const FLAG_PRIVACY = 2
const FLAG_REPORTABLE = 4
const ENGINE_ID_OCTETS_MAX = 32

/** `version` is 0 for SNMPv1, 1 for SNMPv2c (RFC 1901). */
export interface Community {
  readonly version: 0 | 1
  readonly community: string
}

export function writeCommunityMessage(
  { version, community }: Community,
  id: number,
  question: Question,
): Buffer {
  return element(tags.sequence, integer(version), octets(community), writePdu(id, question))
}

/** Throws `Malformed`. `undefined`: for another version. */
export function readCommunityMessage(version: 0 | 1, message: Buffer): Answer | undefined {
  const reader = new Reader(message).enter(tags.sequence)
  if (reader.integer() !== version) return undefined
  reader.octets()
  return readPdu(reader)
}

/** Whose message, for which engine. */
export interface Envelope {
  readonly id: number
  readonly user: string
  readonly engineId: Buffer
  readonly at: EngineTime
  readonly keys: Keys
  readonly context: string
}

/** RFC 3412, 6, with the security parameters of RFC 3414, 2.4. */
export function writeUserMessage(envelope: Envelope, question: Question): Buffer {
  const { id, user, engineId, at, keys, context } = envelope
  const scoped = element(tags.sequence, octets(engineId), octets(context), writePdu(id, question))
  const sealed = keys.privacy && seal(keys.privacy, scoped, at)
  const flags = FLAG_REPORTABLE | (keys.auth ? FLAG_AUTH : 0) | (sealed ? FLAG_PRIVACY : 0)
  const withCode = (code: Buffer): Buffer =>
    element(
      tags.sequence,
      integer(VERSION_3),
      element(
        tags.sequence,
        integer(id),
        integer(MESSAGE_OCTETS_MAX),
        octets(Buffer.from([flags])),
        integer(USER_SECURITY_MODEL),
      ),
      octets(
        element(
          tags.sequence,
          octets(engineId),
          integer(at.boots),
          integer(at.time),
          octets(user),
          octets(code),
          octets(sealed?.salt ?? ''),
        ),
      ),
      sealed ? octets(sealed.bytes) : scoped,
    )
  const blank = withCode(emptyCode(keys))
  return keys.auth ? withCode(codeOf(keys.auth, blank)) : blank
}

export interface UserMessage {
  readonly id: number
  readonly engineId: Buffer
  readonly at: EngineTime
  readonly user: string
  /** Proven by the key; what is not may come from anybody. */
  readonly isAuthentic: boolean
  readonly wasSealed: boolean
  readonly answer: Answer
}

/**
 * Throws `Malformed`, also for a code that does not fit the key. What claims no code is read all the same and says so:
 * reports of an agent that does not know the user have none.
 */
export function readUserMessage(keys: Keys, message: Buffer): UserMessage {
  const reader = new Reader(message).enter(tags.sequence)
  if (reader.integer() !== VERSION_3) throw new Malformed('another version')
  const header = reader.enter(tags.sequence)
  const id = header.integer()
  header.integer()
  const flags = header.octets()[0] ?? 0
  if (header.integer() !== USER_SECURITY_MODEL) throw new Malformed('another security model')
  const security = new Reader(reader.octets()).enter(tags.sequence)
  const engineId = security.octets()
  if (engineId.length > ENGINE_ID_OCTETS_MAX) throw new Malformed('an engine id that is too long')
  const at = { boots: security.integer(), time: security.integer() }
  if (at.boots < 0 || at.time < 0 || at.boots > CLOCK_MAX || at.time > CLOCK_MAX)
    throw new Malformed('a clock that cannot be')
  const user = security.octets().toString('utf8')
  const code = security.octets()
  const salt = security.octets()
  const claimsCode = (flags & FLAG_AUTH) !== 0
  if (claimsCode && !(keys.auth && isAuthentic(keys.auth, message, code)))
    throw new Malformed('a code that does not fit')
  const wasSealed = (flags & FLAG_PRIVACY) !== 0
  if (wasSealed && !keys.privacy) throw new Malformed('encrypted for somebody else')
  const scoped =
    wasSealed && keys.privacy
      ? new Reader(unseal(keys.privacy, { bytes: reader.octets(), salt }, at))
      : reader
  const inside = scoped.enter(tags.sequence)
  inside.octets()
  inside.octets()
  return { id, engineId, at, user, isAuthentic: claimsCode, wasSealed, answer: readPdu(inside) }
}

const CLOCK_MAX = 0x7fff_ffff
