import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { every } from './jobs.ts'
import { addPastRequests } from './partner-usage.ts'
import { newPartner } from './partners.fixture.ts'

const shared = sharedTestApp({ contextOf: believed })

async function person() {
  const ctx = await shared().newTenant()
  return { ctx, ask: fieldAsker(asker(shared().as(), headersOf(ctx))) }
}

const DAY_MS = 86_400_000
const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10)
const daysUntil = (instant: string | null) => Math.round((Date.parse(instant ?? '') - Date.now()) / DAY_MS)

test('a partner is made, read, changed, listed by a condition, and deleted', async () => {
  const { ask } = await person()
  const create = `mutation ($name: String!, $slug: String!, $quotaLimit: Int) {
    createPartner(name: $name, slug: $slug, email: "it@partner.example", quotaLimit: $quotaLimit) { id name slug email quotaLimit rateLimit apiEnabled } }`
  const made = await ask<{ id: string }>(create, { name: 'Northwind', slug: 'north', quotaLimit: 5 })
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Northwind',
    slug: 'north',
    email: 'it@partner.example',
    quotaLimit: 5,
    rateLimit: 100,
    apiEnabled: true,
  })
  await ask(create, { name: 'Contoso', slug: 'contoso' })
  const changed = {
    name: 'South',
    email: 'south@partner.example',
    quotaLimit: 5,
    rateLimit: 9,
    apiEnabled: false,
  }
  expect(
    await ask(
      `mutation ($id: ID!) { updatePartner(id: $id, name: "South", email: "south@partner.example", rateLimit: 9, apiEnabled: false) {
        name email quotaLimit rateLimit apiEnabled } }`,
      { id: made.id },
    ),
  ).toEqual(changed)
  expect(
    await ask('query ($id: ID!) { partner(id: $id) { name email quotaLimit rateLimit apiEnabled } }', {
      id: made.id,
    }),
  ).toEqual(changed)
  const list = `query ($where: String, $sort: String, $first: Int, $offset: Int) {
    partners(where: $where, sort: $sort, first: $first, offset: $offset) { total items { slug } } }`
  const cases: readonly [Record<string, unknown>, number, readonly string[]][] = [
    [{}, 2, ['contoso', 'north']],
    [{ sort: 'created' }, 2, ['north', 'contoso']],
    [{ first: 1, offset: 1 }, 2, ['north']],
    [{ where: 'name = contoso' }, 1, ['contoso']],
    [{ where: 'name = nobody' }, 0, []],
  ]
  const found = await Promise.all(cases.map(([args]) => ask(list, args)))
  expect(found).toEqual(cases.map(([, total, slugs]) => ({ total, items: slugs.map((slug) => ({ slug })) })))
  expect(await ask('mutation ($id: ID!) { deletePartner(id: $id) }', { id: made.id })).toBe(made.id)
  expect(await ask(list)).toEqual({ total: 1, items: [{ slug: 'contoso' }] })
})

test('keys of a partner are made with the lifetime asked for, listed without their secret, and revoked', async () => {
  const { ctx, ask } = await person()
  const { id } = await newPartner(ctx)
  const make = (args: string) =>
    ask<{ key: { id: string; expiresAt: string | null }; secret: string }>(
      `mutation ($id: ID!) { createPartnerKey(partnerId: $id, ${args}) { secret key { id name prefix scopes expiresAt lastUsedAt } } }`,
      { id },
    )
  const first = await make('name: "one", scopes: [partner_read, webhook_read], expiresInDays: 7')
  expect(first.key).toMatchObject({
    name: 'one',
    prefix: first.secret.slice(0, 11),
    scopes: ['partner_read', 'webhook_read'],
    lastUsedAt: null,
  })
  expect(daysUntil(first.key.expiresAt)).toBe(7)
  const usual = await make('scopes: [partner_read]')
  expect(usual.key).toMatchObject({ name: '' })
  expect(daysUntil(usual.key.expiresAt)).toBe(90)
  expect((await make('scopes: [partner_read], never: true')).key.expiresAt).toBeNull()
  await expect(make('scopes: [partner_read], never: true, expiresInDays: 7')).rejects.toThrow('expiresInDays')
  const list = 'query ($id: ID!) { partnerKeys(partnerId: $id) { total items { id } } }'
  const revoke = 'mutation ($id: ID!, $key: ID!) { revokePartnerKey(partnerId: $id, id: $key) { id } }'
  expect(await ask(list, { id })).toMatchObject({ total: 3 })
  expect(await ask(revoke, { id, key: usual.key.id })).toEqual({ id: usual.key.id })
  const left = await ask<{ items: { id: string }[] }>(list, { id })
  expect(left.items.map((it) => it.id)).not.toContain(usual.key.id)
  expect(left).toMatchObject({ total: 2 })
})

test('webhooks of a partner are made, tried, listed with what became of their deliveries, and deleted', async () => {
  const { ctx, ask } = await person()
  const { id } = await newPartner(ctx)
  const { url, requests } = await receiver()
  const { webhook, secret } = await ask<{ webhook: { id: string }; secret: string }>(
    `mutation ($id: ID!, $url: String!) { createPartnerWebhook(partnerId: $id, name: "hook", url: $url, events: ["NEW_ASSET"]) {
      secret webhook { id name url events active delivered deadLetters retrying lastError secretPrefix } } }`,
    { id, url },
  )
  expect(webhook).toEqual({
    id: expect.any(String),
    name: 'hook',
    url,
    events: ['NEW_ASSET'],
    active: true,
    delivered: 0,
    deadLetters: 0,
    retrying: 0,
    lastError: null,
    secretPrefix: secret.slice(0, 8),
  })
  const tried = await ask(
    'mutation ($id: ID!, $hook: ID!) { testPartnerWebhook(partnerId: $id, id: $hook) { success status error } }',
    { id, hook: webhook.id },
  )
  expect(tried).toEqual({ success: true, status: 200, error: null })
  expect(requests).toHaveLength(1)
  const list = `query ($id: ID!) { partnerWebhooks(partnerId: $id) { id active disabledReason headerNames delivered deadLetters retrying lastError } }`
  await haveDeliveries(ctx, webhook.id)
  expect(await ask(list, { id })).toEqual([
    {
      id: webhook.id,
      active: true,
      disabledReason: null,
      headerNames: [],
      delivered: 2,
      deadLetters: 3,
      retrying: 1,
      lastError: 'answered 500',
    },
  ])
  const remove = 'mutation ($id: ID!, $hook: ID!) { deletePartnerWebhook(partnerId: $id, id: $hook) }'
  expect(await ask(remove, { id, hook: webhook.id })).toBe(webhook.id)
  expect(await ask(list, { id })).toEqual([])
})

test('usage tells of assets against the quota and of requests on each of the last 30 days', async () => {
  const { ctx, ask } = await person()
  const { id } = await newPartner(ctx, { quotaLimit: 2 })
  const other = await newPartner(ctx)
  await addPastRequests(ctx, id, [11, 12])
  await addPastRequests(ctx, id, [99])
  const usage = () =>
    ask<{ days: { day: string; requests: number }[]; resetAt: string }>(
      `query ($id: ID!) { partnerUsage(partnerId: $id) {
        assetCount quotaLimit quotaUsedPct overQuota requestsToday rateLimit resetAt days { day requests } } }`,
      { id },
    )
  const asset = (name: string) => ({
    sourceKey: name,
    seenAt: ctx.now(),
    identifiers: [{ type: 'hostname' as const, value: name }],
  })
  await submit(ctx, { kind: 'csv', name: 'list' }, ['a', 'b'].map(asset))
  const full = await usage()
  expect(full).toMatchObject({
    assetCount: 2,
    quotaLimit: 2,
    quotaUsedPct: 100,
    overQuota: false,
    requestsToday: 0,
    rateLimit: 100_000,
  })
  expect(full.days).toHaveLength(30)
  expect(full.days.slice(-3)).toEqual([
    { day: day(2), requests: 12 },
    { day: day(1), requests: 11 },
    { day: day(0), requests: 0 },
  ])
  expect(full.days[0]).toEqual({ day: day(29), requests: 0 })
  expect(Date.parse(full.resetAt)).toBe(Date.parse(day(-1)))
  await submit(ctx, { kind: 'csv', name: 'list' }, [asset('c')])
  expect(await usage()).toMatchObject({ assetCount: 3, quotaUsedPct: 150, overQuota: true })
  const ofOther = await ask<{ days: { requests: number }[] }>(
    'query ($id: ID!) { partnerUsage(partnerId: $id) { days { requests } } }',
    { id: other.id },
  )
  expect(ofOther.days.every(({ requests }) => requests === 0)).toBe(true)
})

test('counts of requests are forgotten once they are older than 400 days', async () => {
  const { ctx } = await person()
  const { id } = await newPartner(ctx)
  for (const back of [399, 400, 401])
    await ctx.db.run(sql`insert into partner_requests (tenant_id, partner_id, day, n)
      values (${ctx.tenantId}, ${id}, (now() at time zone 'UTC')::date - ${back}::int, ${back})`)
  for (const job of every) await job.run(shared().runtime.system)
  const left = await ctx.db.all(sql<{ n: number }>`
    select n from partner_requests where tenant_id = ${ctx.tenantId} and partner_id = ${id} order by n`)
  expect(left.map(({ n }) => n)).toEqual([399, 400])
})

/** Two that were delivered, three that were given up, one that failed and will be tried again. */
async function haveDeliveries(ctx: Ctx, endpointId: string): Promise<void> {
  for (const status of ['d', 'd', 'x', 'x', 'x'])
    await ctx.db.run(sql`insert into webhook_delivery_log
      (tenant_id, id, event_id, event_created_at, event_type, endpoint_seq, status, attempts, created_at, last_error)
      select tenant_id, (random() * 1e9)::bigint, gen_random_uuid(), now(), 'NEW_ASSET', seq, ${status}, 1, now(),
        case ${status} when 'x' then 'answered 500' end
      from webhook_endpoints where tenant_id = ${ctx.tenantId} and id = ${endpointId}`)
  await ctx.db.run(sql`insert into webhook_deliveries
    (tenant_id, event_id, event_created_at, event_type, endpoint_seq, status, attempts, run_at, last_error)
    select tenant_id, gen_random_uuid(), now(), 'NEW_ASSET', seq, 'f', 1, now() + interval '1 hour', 'answered 500'
    from webhook_endpoints where tenant_id = ${ctx.tenantId} and id = ${endpointId}`)
}
