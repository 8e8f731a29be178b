/** Webhooks: signed HTTP notifications of events, to receivers that tenants register. */
import { randomUUID } from 'node:crypto'
import { difference, record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx, type Happening } from '#platform/context.ts'
import { conflict, notFound, tooMany } from '#platform/errors.ts'
import type { Listed } from '#platform/http/paging.ts'
import { newSecret, prefixOf } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import { failureOf, send } from './delivery/attempt.ts'
import { openHeaders, openSecret, sealHeaders, sealSecret } from './endpoints/secret-encryption.ts'
import type { CustomHeaders } from './endpoints/custom-headers.ts'
import {
  isDeliveryId,
  type Attempt,
  type Delivery,
  type DeliveryFilter,
  type Missed,
} from './history/delivery-record.ts'
import {
  auditName,
  parseChanges,
  parseSecret,
  type Endpoint,
  type EndpointChanges,
  type EndpointFields,
  type NewEndpoint,
} from './endpoints/endpoint.ts'
import * as records from './history/delivery-record-store.ts'
import * as store from './endpoints/endpoint-store.ts'
import { parseReceiverUrl, refuseUnreachable } from './endpoints/receiver-url.ts'

export type { NewEndpoint } from './endpoints/endpoint.ts'

/** The secret is returned by `createEndpoint` and `rotateSecret` only. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint
  readonly secret: string
}

export interface TestResult {
  readonly success: boolean
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

export async function listEndpoints(ctx: Ctx): Promise<Endpoint[]> {
  permit(ctx, 'webhooks:read')
  return store.endpoints(ctx)
}

export async function createEndpoint(ctx: Ctx, input: NewEndpoint): Promise<EndpointWithSecret> {
  permit(ctx, 'webhooks:write')
  const { headers = {}, ...changes } = parseChanges(input)
  const url = parseReceiverUrl(input.url)
  const secret = input.secret === undefined ? newSecret() : parseSecret(input.secret)
  await refuseUnreachable(ctx, url)
  const fields: EndpointFields = { ...DEFAULTS, ...changes, url: url.href }
  return atomically(ctx, async (ctx) => {
    await refuseTooMany(ctx)
    const id = randomUUID()
    const endpoint = await store.addEndpoint(ctx, id, fields, {
      secret: sealed(ctx, id, secret),
      headers: sealedHeaders(ctx, id, headers),
    })
    await record(ctx, 'webhook.created', subject(id), auditDetails(fields, headers))
    return { endpoint, secret }
  })
}

/** Must be called in the transaction that adds the endpoint. */
async function refuseTooMany(ctx: Ctx): Promise<void> {
  const { endpoints: max } = ctx.limits
  if ((await store.countEndpoints(ctx)) >= max)
    throw conflict(`a tenant may have ${max} webhooks; the operator can allow more with WEBHOOKS_PER_TENANT`)
}

const DEFAULTS = {
  name: '',
  events: [],
  active: true,
  maxInFlight: null,
  maxRate: null,
  autoDisableDays: null,
} as const

export async function updateEndpoint(ctx: Ctx, id: string, changes: EndpointChanges): Promise<Endpoint> {
  permit(ctx, 'webhooks:write')
  const { headers, ...rest } = parseChanges(changes)
  const url = changes.url === undefined ? undefined : parseReceiverUrl(changes.url)
  const fields = { ...rest, ...(url && { url: url.href }) }
  if (url) await refuseUnreachable(ctx, url)
  return atomically(ctx, async (ctx) => {
    const edit = { ...fields, ...(headers && { headers: sealedHeaders(ctx, id, headers) }) }
    const before = found(isUuid(id) ? await store.endpoint(ctx, id) : undefined)
    const endpoint = found(await store.changeEndpoint(ctx, id, edit))
    await record(ctx, 'webhook.updated', subject(id), {
      ...auditName(endpoint),
      ...difference(settingsOf(before), settingsOf(endpoint)),
      ...(headers && { headers: Object.keys(headers) }),
    })
    ctx.db.afterCommit(dueTopic(ctx))
    return endpoint
  })
}

const settingsOf = ({ name, url, events, active, ...it }: Endpoint): EndpointFields => ({
  name,
  url,
  events,
  active,
  maxInFlight: it.maxInFlight,
  maxRate: it.maxRate,
  autoDisableDays: it.autoDisableDays,
})

/** Details for the audit log: of custom headers only the names. */
const auditDetails = (fields: Partial<EndpointFields>, headers: CustomHeaders | undefined) => ({
  ...fields,
  ...(headers && { headers: Object.keys(headers) }),
})

/** The old secret is no longer used, not even for retries of earlier events. */
export async function rotateSecret(ctx: Ctx, id: string): Promise<EndpointWithSecret> {
  permit(ctx, 'webhooks:write')
  return atomically(ctx, async (ctx) => {
    const secret = newSecret()
    const endpoint = found(
      isUuid(id) ? await store.changeSecret(ctx, id, sealed(ctx, id, secret)) : undefined,
    )
    await record(ctx, 'webhook.secret_rotated', subject(id), auditName(endpoint))
    return { endpoint, secret }
  })
}

const TESTS_PER_MINUTE = 10

/** Sends one signed test delivery immediately, also to an inactive endpoint; it is not retried and not recorded. */
export async function testEndpoint(ctx: Ctx, id: string): Promise<TestResult> {
  permit(ctx, 'webhooks:write')
  await getEndpoint(ctx, id)
  const { used, secondsLeft } = found(await store.countTest(ctx, id))
  if (used > TESTS_PER_MINUTE) throw tooMany(secondsLeft)
  const { url, secretSealed, headersSealed } = found(await store.sealed(ctx, id))
  const body = { test: true, webhookId: id, triggeredAt: ctx.now().toISOString() }
  const answer = await send(ctx, {
    url,
    secret: openSecret(ctx, id, secretSealed),
    headers: openHeaders(ctx, id, headersSealed),
    eventType: 'webhook.test',
    body: Buffer.from(JSON.stringify(body)),
  })
  const error = failureOf(answer)
  return { success: error === null, status: answer.status ?? null, ms: answer.ms, error }
}

export async function deleteEndpoint(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'webhooks:write')
  await atomically(ctx, async (ctx) => {
    const before = found(isUuid(id) ? await store.endpoint(ctx, id) : undefined)
    if (!(await store.removeEndpoint(ctx, id))) throw notFound(WEBHOOK)
    await record(ctx, 'webhook.deleted', subject(id), auditName(before))
  })
}

/** Newest first. */
export async function listDeliveries(ctx: Ctx, filter: DeliveryFilter): Promise<Listed<Delivery>> {
  permit(ctx, 'webhooks:read')
  if (filter.endpointId !== undefined) await getEndpoint(ctx, filter.endpointId)
  return records.deliveries(ctx, filter)
}

/** Events of periods in which endpoints were disabled, newest first, within the retention of events. */
export async function listMissed(ctx: Ctx, filter: Omit<DeliveryFilter, 'status'>): Promise<Listed<Missed>> {
  permit(ctx, 'webhooks:read')
  if (filter.endpointId !== undefined) await getEndpoint(ctx, filter.endpointId)
  return records.missed(ctx, filter)
}

/** A delivery and its attempts, oldest first. */
export async function explainDelivery(
  ctx: Ctx,
  id: string,
): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] }> {
  permit(ctx, 'webhooks:read')
  const delivery = await getDelivery(ctx, id)
  const attempts = await records.attempts(ctx, id)
  return {
    delivery,
    attempts: attempts.map((it) => ({ ...it, excerpt: it.excerpt && it.excerpt.toString('utf8') })),
  }
}

/** The tenant of an endpoint, for commands that are given only the id. */
export async function tenantOfEndpoint(system: Ctx, id: string): Promise<string> {
  return found(isUuid(id) ? await store.tenantOf(system, id) : undefined)
}

export async function tenantOfDelivery(system: Ctx, id: string): Promise<string> {
  return found(isDeliveryId(id) ? await records.tenantOf(system, id) : undefined, 'delivery')
}

/** Creates one delivery for each subscribed endpoint, so that a failing receiver does not delay others. */
export async function fanOut(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  if ((await store.addDeliveries(ctx, happenings)) > 0) ctx.db.afterCommit(dueTopic(ctx))
}

/** NOTIFY topic of commits after which deliveries may be due. */
export const DUE = 'deliveries'

/** The same for one tenant. */
export const dueTopic = ({ tenantId }: Pick<Ctx, 'tenantId'>): string => `${DUE} ${tenantId}`

const WEBHOOK = 'webhook'
const subject = (id: string) => ({ type: WEBHOOK, id })

export async function getEndpoint(ctx: Ctx, id: string): Promise<Endpoint> {
  return found(isUuid(id) ? await store.endpoint(ctx, id) : undefined)
}

export async function getDelivery(ctx: Ctx, id: string): Promise<Delivery> {
  return found(isDeliveryId(id) ? await records.delivery(ctx, id) : undefined, 'delivery')
}

function found<T>(it: T | undefined, what = WEBHOOK): T {
  if (it === undefined) throw notFound(what)
  return it
}

const sealed = (ctx: Ctx, id: string, secret: string) => ({
  sealed: sealSecret(ctx, id, secret),
  prefix: prefixOf(secret),
})

const sealedHeaders = (ctx: Ctx, id: string, headers: CustomHeaders) => ({
  sealed: sealHeaders(ctx, id, headers),
  names: Object.keys(headers),
})
