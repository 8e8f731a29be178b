import { createHmac } from 'node:crypto'
import { atomically, type Ctx } from '#platform/context.ts'
import { methodNotAllowed, notFound, tooMany } from '#platform/errors.ts'
import { isOver } from '#platform/http/rate-limit.ts'
import type { ProtocolReply, ProtocolRequest, ProtocolRoute } from '#platform/protocols/protocol-routes.ts'
import { equalInConstantTime, sha256 } from '#platform/secrets/random-keys.ts'
import { newUuid } from '#platform/uuid.ts'
import type { Decision } from '../approvals/approval.ts'
import { decideApproval } from '../approvals/approvals.ts'
import * as approvals from '../approvals/approval-store.ts'
import { wantAdmission } from '../triggers/admission-job.ts'
import * as newRuns from '../triggers/new-run-store.ts'
import { assetOf } from '../triggers/on-event.ts'
import { deliveryKey, payloadIn, type Payload } from './hook-request.ts'
import * as store from './hook-store.ts'
import { secretContext } from './hooks.ts'

/** Requests from outside that start a flow, or answer an approval. The token in the path is all that they authenticate with. */
export const protocols: readonly ProtocolRoute[] = [
  { path: '/hooks/approvals/:token', handle: answerApproval },
  { path: '/hooks/:token', handle: startByHook },
]

const BODY_BYTES_MAX = 262_144
const REQUESTS_PER_MINUTE = 60
/** How old the timestamp of a signature may be. */
const SIGNATURE_AGE_MS_MAX = 5 * 60_000

/**
 * 202 with the id of the run, before anything runs. Unknown token, a flow that is off and a wrong signature are 404 in
 * the same words, after the same work: the body is read and a signature computed in any case.
 */
async function startByHook(request: ProtocolRequest): Promise<ProtocolReply> {
  const { system } = request
  const { body, tokenHash } = await read(request)
  const holder = await store.byToken(system, tokenHash)
  const isSigned = hasSignature(system, request, body, holder)
  if (!holder?.isLive || !isSigned) throw notFound('page')
  const payload = payloadIn(request.headers['content-type'], body)
  const actor = {
    kind: 'system',
    id: `flow hook ${holder.flowId}`,
    address: request.address,
    may: () => true,
  } as const
  const ctx = request.contextFor(holder.tenantId, actor)
  const runId = await startRun(ctx, holder.flowId, payload, deliveryKey(request.headers))
  return json(202, { run_id: runId })
}

async function answerApproval(request: ProtocolRequest): Promise<ProtocolReply> {
  const { body, tokenHash } = await read(request)
  const found = await approvals.byToken(request.system, tokenHash)
  if (!found) throw notFound('page')
  const { decision, note } = payloadIn(request.headers['content-type'], body)
  const actor = {
    kind: 'system',
    id: 'approval token',
    name: 'the holder of the token',
    address: request.address,
    may: () => true,
  } as const
  const ctx = request.contextFor(found.tenantId, actor)
  const given = { decision, ...(typeof note === 'string' && { note }) } as Decision
  const { state } = await decideApproval(ctx, found.id, given)
  return json(200, { state })
}

/** Everybody's request is counted by its token, whether there is one of that name or not. */
async function read({ system, method, params, body }: ProtocolRequest) {
  if (method !== 'POST') throw methodNotAllowed(['POST'])
  const tokenHash = sha256(params['token'] ?? '')
  const allowance = await store.count(
    system,
    sha256(`flow hook ${tokenHash.toString('hex')}`),
    REQUESTS_PER_MINUTE,
  )
  if (isOver(allowance)) throw tooMany(allowance.secondsLeft)
  return { tokenHash, body: await body(BODY_BYTES_MAX) }
}

const json = (status: number, value: object): ProtocolReply => ({
  status,
  mediaType: 'application/json; charset=utf-8',
  content: JSON.stringify(value),
})

/** Both signatures are computed whatever is asked for, so that their cost tells nothing. */
function hasSignature(
  system: Ctx,
  { headers }: ProtocolRequest,
  body: Buffer,
  holder: store.HookHolder | undefined,
): boolean {
  const sealed = holder?.secretSealed
  const key = sealed ? system.seal.open(sealed, secretContext(holder.flowId)) : 'nobody knows this key'
  const hmac = (...parts: readonly (Buffer | string)[]) => {
    const digest = createHmac('sha256', key)
    for (const part of parts) digest.update(part)
    return digest.digest()
  }
  const timestamp = String(headers['x-service-timestamp'] ?? '')
  const isFresh = Math.abs(system.now().getTime() - Date.parse(timestamp)) <= SIGNATURE_AGE_MS_MAX
  const isOurs = equals(headers['x-service-signature'], hmac(body, timestamp)) && isFresh
  const isHub = equals(headers['x-hub-signature-256'], hmac(body))
  return !holder?.isSigned || isOurs || isHub
}

function equals(header: string | readonly string[] | undefined, expected: Buffer): boolean {
  const text = typeof header === 'string' ? header.replace(/^sha256=/, '') : ''
  return equalInConstantTime(Buffer.from(text, 'hex'), expected)
}

/** A delivery that is repeated within a day is the run that it was. */
async function startRun(
  ctx: Ctx,
  flowId: string,
  ...[event, delivery]: [Payload, string | undefined]
): Promise<string> {
  return atomically(ctx, async (inner) => {
    const flow = await store.published(inner, flowId)
    if (flow?.trigger.kind !== 'webhook') throw notFound('page')
    const id = newUuid(inner.now())
    const dedupeKey = `hook:${delivery ?? id}`
    const known = delivery === undefined ? undefined : await store.runOfDelivery(inner, flowId, dedupeKey)
    if (known !== undefined) return known
    const run = { id, flowId, version: flow.version, cause: 'webhook', dedupeKey, chain: [] }
    if (!(await newRuns.add(inner, { ...run, assetId: assetOf(event), context: { event, steps: {} } })))
      return (await store.runOfDelivery(inner, flowId, dedupeKey)) ?? id
    await wantAdmission(inner)
    return id
  })
}
