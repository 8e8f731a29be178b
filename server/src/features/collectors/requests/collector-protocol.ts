import { setTimeout as sleep } from 'node:timers/promises'
import type { JWK } from 'jose'
import type { Ctx } from '#platform/context.ts'
import { invalid, notFound, Refusal } from '#platform/errors.ts'
import type { ProtocolReply, ProtocolRequest, ProtocolRoute } from '#platform/protocols/protocol-routes.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import * as assignments from '../assignments/assignment-store.ts'
import * as keys from '../collector-key-store.ts'
import { enrolCollector, noteCollector, noteHeard, SECRET_FORM } from '../collectors.ts'
import {
  actorOf,
  authenticateCollector,
  authenticateNewKey,
  refuseUnknown,
  type Body,
} from './collector-authentication.ts'

/** How long a request for work waits for some. */
const WAIT_MS = 5_000
const LOOK_MS = 250
/** A host may be waiting for an answer. */
const LOOK_WHILE_AT_WORK_MS = 100
const ASSIGNMENTS_MAX = 100
const ANSWERS_MAX = 500
const MESSAGES_MAX = 1_000
/** Unread messages of an assignment, above which the collector is to wait. */
const UNREAD_MAX = 200
const UNREAD_CHARACTERS_MAX = 16 * 1_048_576
/** An observation with its software has one to two. */
const MESSAGES_BYTES_MAX = 8 * 1_048_576
/** Smaller bodies need no place among those that are unpacked. */
const POLL_BYTES_MAX = 65_536
const TEXT_LENGTH_MAX = 100

/** `POST /collector/v1/enrol`, `poll` and `messages`, each signed by the key of the collector. */
export const protocols: readonly ProtocolRoute[] = [
  {
    path: '/collector/v1/:call',
    async handle(request) {
      const answer = request.method === 'POST' ? calls.get(request.params['call'] ?? '') : undefined
      if (!answer) throw notFound('page')
      return answer(request)
    },
  },
]

const calls: ReadonlyMap<string, (request: ProtocolRequest) => Promise<ProtocolReply>> = new Map([
  ['enrol', enrol],
  ['poll', poll],
  ['messages', messages],
])

const json = (value: Readonly<Record<string, unknown>>): ProtocolReply => ({
  mediaType: 'application/json',
  content: JSON.stringify(value),
})

/** The same again for a key that has enrolled: the first answer was lost. */
async function enrol(request: ProtocolRequest): Promise<ProtocolReply> {
  const { body, ...signed } = await authenticateNewKey(request)
  const known = await keys.keyOf(request.system, signed.keyId)
  if (known?.isRevoked) throw new Refusal(403, 'revoked', 'the collector was revoked')
  if (known) return json({ collector_id: known.collectorId })
  const secret = textIn(body, 'secret')
  const invited = SECRET_FORM.test(secret)
    ? await keys.enrolmentOf(request.system, sha256(secret))
    : undefined
  if (!invited) {
    await refuseUnknown(request)
    await request.refuseMoved(sha256(secret))
    throw new Refusal(403, 'forbidden', 'secret: is unknown, was used already, or is older than a day')
  }
  const ctx = request.contextFor(invited.tenantId, actorOf(invited.collectorId, request.address))
  await enrolCollector(ctx, { ...signed, ...invited, exchangeKey: exchangeKeyIn(body['exchange_key']) })
  return json({ collector_id: invited.collectorId })
}

/** Answers with new work, answers to questions and what is to be stopped: at once when there is some, else after seconds. */
async function poll(request: ProtocolRequest): Promise<ProtocolReply> {
  const { ctx, collectorId, body, address } = await authenticateCollector(request, POLL_BYTES_MAX)
  const process = uuidIn(body, 'process')
  const running = idsIn(body['running'])
  const received = receivedIn(body['received'])
  await noteCollector(ctx, collectorId, { process, version: textIn(body, 'version'), address })
  await assignments.removeOfOthers(ctx, collectorId, process)
  if (received.length > 0) await assignments.removeAnswers(ctx, { collectorId, process }, received)
  const until = performance.now() + WAIT_MS
  for (;;) {
    const limit = ASSIGNMENTS_MAX - running.length
    const work = await assignments.take(ctx, collectorId, { process, running, limit })
    const { over, answers } =
      running.length > 0 ? await newsOf(ctx, collectorId, { process, running }) : NO_NEWS
    if (work.length + over.length + answers.length > 0 || performance.now() >= until)
      return json({
        assignments: work.map((it) => ({ id: it.id, work: JSON.parse(it.work) as unknown })),
        answers: answers.map((it) => ({
          assignment: it.assignmentId,
          number: it.number,
          ...(JSON.parse(it.body) as object),
        })),
        over,
      })
    await sleep(running.length > 0 ? LOOK_WHILE_AT_WORK_MS : LOOK_MS)
  }
}

interface News {
  readonly over: readonly string[]
  readonly answers: readonly assignments.Answer[]
}

const NO_NEWS: News = { over: [], answers: [] }

async function newsOf(
  ctx: Ctx,
  collectorId: string,
  { process, running }: { readonly process: string; readonly running: readonly string[] },
): Promise<News> {
  const held = new Set(await assignments.held(ctx, collectorId, { process, running }))
  return {
    over: running.filter((id) => !held.has(id)),
    answers: await assignments.answers(ctx, collectorId, { process, limit: ANSWERS_MAX }),
  }
}

/** 404 when nobody waits for them any more. 429 `unread` when those that were sent before are to be read first. */
async function messages(request: ProtocolRequest): Promise<ProtocolReply> {
  const { ctx, collectorId, body } = await authenticateCollector(request, MESSAGES_BYTES_MAX)
  const told = messagesIn(body['messages'])
  const place = { id: uuidIn(body, 'assignment'), process: uuidIn(body, 'process') }
  const unread = await assignments.unread(ctx, place)
  if (!unread) throw notFound('assignment')
  if (unread.messages > UNREAD_MAX || unread.characters > UNREAD_CHARACTERS_MAX)
    throw new Refusal(429, 'unread', 'messages that were sent before are to be read first', {
      retryAfterSeconds: 1,
    })
  await assignments.addMessages(ctx, place, told)
  await noteHeard(ctx, collectorId)
  return json({ taken: told.length })
}

function textIn(body: Body, field: string): string {
  const value = body[field]
  return typeof value === 'string' ? value.slice(0, TEXT_LENGTH_MAX) : ''
}

function uuidIn(body: Body, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || !isUuid(value)) throw invalid(field, 'must be a UUID')
  return value
}

function idsIn(value: unknown): string[] {
  const isList = Array.isArray(value) && value.length <= ASSIGNMENTS_MAX
  if (!isList || !value.every((it) => typeof it === 'string' && isUuid(it)))
    throw invalid('running', `must be at most ${ASSIGNMENTS_MAX} UUIDs`)
  return value as string[]
}

function receivedIn(value: unknown): Pick<assignments.Answer, 'assignmentId' | 'number'>[] {
  if (!Array.isArray(value) || value.length > ANSWERS_MAX)
    throw invalid('received', `must be a list of at most ${ANSWERS_MAX}`)
  return value.map((it: unknown) => {
    const { assignment, number } = (it ?? {}) as Body
    if (typeof assignment !== 'string' || !isUuid(assignment) || !isNumber(number))
      throw invalid('received', 'must each have assignment and number')
    return { assignmentId: assignment, number }
  })
}

function messagesIn(value: unknown): assignments.Message[] {
  if (!Array.isArray(value) || value.length > MESSAGES_MAX)
    throw invalid('messages', `must be a list of at most ${MESSAGES_MAX}`)
  return value.map((it: unknown) => {
    const { number, ...rest } = (it ?? {}) as Body
    if (!isNumber(number)) throw invalid('messages', 'must each have a number from 1 to 2147483647')
    return { number, body: JSON.stringify(rest) }
  })
}

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2_147_483_647

/** X25519 (RFC 8037), the public half alone. */
function exchangeKeyIn(value: unknown): JWK {
  const { kty, crv, x, d } = (value ?? {}) as Body
  if (kty !== 'OKP' || crv !== 'X25519' || d !== undefined || typeof x !== 'string' || !X25519.test(x))
    throw invalid('exchange_key', 'must be a public X25519 key as a JSON Web Key')
  return { kty, crv, x }
}

/** 32 bytes in base64url. */
const X25519 = /^[A-Za-z0-9_-]{43}$/
