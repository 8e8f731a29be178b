import { sql } from 'kysely'
import { atomically, beyondLimit, type Ctx } from '../context.ts'
import { conflict, invalid } from '../errors.ts'
import type { PeriodicJob } from '../jobs/job.ts'
import type { Reply } from './route.ts'
import { sha256 } from '../secrets/random-keys.ts'

/** A request that carries an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07). */
export interface KeyedRequest {
  /** Undefined: it carries none, and nothing is noted. */
  readonly key: string | undefined
  /** Method and path of the endpoint: the same key may be used at another. */
  readonly endpoint: string
  /** All that was asked for; another request under the same key is refused. */
  readonly content: Readonly<Record<string, unknown>>
}

const KEY = /^[!-~]{1,255}$/
/** RFC 8941 §3.3.3: a String, which is what the draft asks for; many send the bare text. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
const KEPT_HOURS = 24

/** Undefined when there is none. */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const isQuoted = header.startsWith('"')
  const key = isQuoted ? QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') : header
  if (key === undefined || !KEY.test(key))
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  return key
}

/**
 * Runs `work` and stores its response in one transaction, and replays that response to the same request for 24 hours.
 * A concurrent request with the same key waits for the first. An error response is not stored: the request may be
 * repeated. For a key that was used with another request the draft demands 422; the API has no such status: 409. All
 * callers of a tenant have their keys in common, but who is limited gets no answer that was made for somebody else's sight.
 */
export async function answerOnce(
  ctx: Ctx,
  { key, endpoint, content }: KeyedRequest,
  work: (ctx: Ctx) => Promise<Reply>,
): Promise<Reply> {
  if (key === undefined) return work(ctx)
  const request = sha256(JSON.stringify({ ...sightOf(ctx.actor), ...content }, byName))
  return atomically(ctx, async (inner) => {
    const { db, tenantId } = beyondLimit(inner)
    await db.run(sql`
      delete from idempotency_keys
      where tenant_id = ${tenantId} and endpoint = ${endpoint} and key = ${key} and ${isOld}`)
    const isNew = await db.run(sql`
      insert into idempotency_keys (tenant_id, endpoint, key, request, reply)
      values (${tenantId}, ${endpoint}, ${key}, ${request}, null)
      on conflict (tenant_id, endpoint, key) do nothing`)
    if (isNew === 0) return noted(beyondLimit(inner), { key, endpoint }, request)
    const { json, headers } = await work(inner)
    const reply = { ...(json !== undefined && { json }), ...(headers && { headers }) }
    await db.run(sql`
      update idempotency_keys set reply = ${JSON.stringify(reply)}::json
      where tenant_id = ${tenantId} and endpoint = ${endpoint} and key = ${key}`)
    return reply
  })
}

/** For `JSON.stringify`: members of objects have no order (RFC 8259 §4), so a client may send them in another. */
const byName = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** What the answer may depend on beside what was asked; nothing for who sees all of the tenant. */
const sightOf = ({ limitedTo, confined }: Ctx['actor']): object => ({
  ...(limitedTo !== undefined && { limitedTo }),
  ...(confined && { confined }),
})

/** Removes what is older than a client may count on. */
export const forgetIdempotencyKeys: PeriodicJob = {
  name: 'platform.forget-idempotency-keys',
  everySeconds: 3_600,
  run: async ({ db }) => void (await db.run(sql`delete from idempotency_keys where ${isOld}`)),
}

const isOld = sql`created_at < clock_timestamp() - make_interval(hours => ${KEPT_HOURS})`

async function noted(
  { db, tenantId }: Ctx,
  { key, endpoint }: { readonly key: string; readonly endpoint: string },
  request: Buffer,
): Promise<Reply> {
  const found = await db.one(sql<{ request: Buffer; reply: Reply }>`
    select request, reply from idempotency_keys
    where tenant_id = ${tenantId} and endpoint = ${endpoint} and key = ${key}`)
  if (!found.request.equals(request)) throw conflict('Idempotency-Key: was used for another request')
  return found.reply
}
