import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { createKey, listKeys } from '../src/features/api-keys/api-keys.ts'
import type { Ctx } from '../src/platform/context.ts'
import type { Route } from '../src/platform/http/route.ts'
import type { Answer, Caller } from './support/http/api-client.ts'
import { newPerson } from './support/http/browser-session.ts'
import { testApp, sharedTestApp } from './support/app/test-app.ts'
import { bodies, restRecordFactories, queries } from './support/api-coverage/rest-record-factories.ts'

const shared = sharedTestApp()
let mine: Ctx
let theirs: Ctx
let me: Caller
let them: Caller
/** Of each noun, the id of a thing of theirs. */
const foreign = new Map<string, string>()
beforeAll(async () => {
  const { newTenant, key, as } = shared()
  mine = await newTenant()
  theirs = await newTenant()
  me = as(await key(mine))
  them = as(await key(theirs))
  for (const [noun, make] of Object.entries(restRecordFactories)) foreign.set(noun, await make(theirs))
})

const routes = features
  .flatMap(({ rest }) => rest ?? [])
  .map((it) => [`${it.method} ${it.path}`, it] as const)
const withId = routes.filter(([, { path }]) => path.includes(':'))
const lists = routes.filter(([, { method, path }]) => method === 'GET' && !path.includes(':'))
/** Those whose body names things by id. */
const withBody = routes.filter(([, { shape }]) => JSON.stringify(shape.body ?? {}).includes('"uuid"'))

const foreignId = (noun: string): string => {
  const id = foreign.get(noun)
  if (!id)
    throw new Error(
      `test/support/api-coverage/rest-record-factories.ts does not say how to make one of ${noun}`,
    )
  return id
}
const nobodys = (): string => randomUUID()

function pathOf(name: string, { path }: Route, idOf: (noun: string) => string): string {
  const whole = path.replaceAll(/([\w-]+)\/:\w+/g, (_, noun: string) => `${noun}/${idOf(noun)}`)
  return `/api/v1${whole}${queries[name] ?? ''}`
}

const jsonOf = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** All that a caller could tell two answers apart by. */
const seen = ({ status, text, headers }: Answer<unknown>) => ({
  status,
  text,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(x-request-id|x-ratelimit-.*|date)$/.test(name)),
  ),
})

test.each(withId)('%s answers for a thing of theirs as for one that never was', async (name, route) => {
  const send = async (idOf: (noun: string) => string) => {
    const body = route.shape.body ? jsonOf(bodies[name]?.(idOf) ?? {}) : {}
    return seen(await me.send(route.method, pathOf(name, route, idOf), body))
  }
  expect(await send(foreignId)).toEqual(await send(nobodys))
})

test.each(withId.filter(([, { method }]) => method === 'GET'))(
  '%s shows them their own',
  async (name, route) => {
    expect((await them.send('GET', pathOf(name, route, foreignId))).status).toBe(200)
  },
)

test.each(lists)('%s shows nothing of theirs, whatever is asked', async (name, route) => {
  const properties = (route.shape.query as { properties?: object } | undefined)?.properties ?? {}
  const start = `/api/v1${route.path}${queries[name] ?? '?'}`
  const before = seen(await me.send('GET', start))
  for (const noun of Object.keys(restRecordFactories)) {
    const id = foreignId(noun)
    for (const parameter of Object.keys(properties)) {
      const found = await me.send('GET', `${start}&${parameter}=${id}`)
      expect(seen(found)).toEqual(seen(await me.send('GET', `${start}&${parameter}=${nobodys()}`)))
    }
    expect(before.text).not.toContain(id)
  }
  for (const make of Object.values(restRecordFactories)) await make(theirs)
  expect(seen(await me.send('GET', start))).toEqual(before)
})

test.each(withBody)('%s takes no thing of theirs', async (name, route) => {
  const body = bodies[name]
  if (!body) throw new Error(`test/support/api-coverage/rest-record-factories.ts has no body for ${name}`)
  const send = async (idOf: (noun: string) => string) =>
    seen(await me.send(route.method, pathOf(name, route, nobodys), jsonOf(body(idOf))))
  const answer = await send(foreignId)
  expect(answer.status).toBe(404)
  expect(answer).toEqual(await send(nobodys))
})

test('after all that they still have what was theirs', async () => {
  for (const [name, route] of withId.filter(([, { method }]) => method === 'GET'))
    expect((await them.send('GET', pathOf(name, route, foreignId))).status).toBe(200)
})

interface Table {
  readonly name: string
  readonly has_tenant: boolean
  readonly is_protected: boolean
  readonly policies: Readonly<Record<string, string>> | null
}

const tables = (ctx: Ctx) =>
  ctx.db.all(sql<Table>`
    select c.relname as name, c.relrowsecurity as is_protected,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') as has_tenant,
      (select jsonb_object_agg(array_to_string(p.roles, ','), p.qual || ' / ' || coalesce(p.with_check, ''))
        from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname) as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
    order by 1`)

const own = '(tenant_id = current_tenant())'

test('every table of tenants is protected for both roles and no other', async () => {
  const ofTenants = (await tables(mine)).filter(({ has_tenant: hasTenant }) => hasTenant)
  expect(ofTenants.length).toBeGreaterThan(3)
  expect(ofTenants).toEqual(
    ofTenants.map(({ name }) => ({
      name,
      has_tenant: true,
      is_protected: true,
      policies: { rollcall_app: `${own} / ${own}`, rollcall_system: 'true / true' },
    })),
  )
})

test('parts of tables are reached through the whole alone', async () => {
  const roles = ['rollcall_app', 'rollcall_system']
  expect(
    await mine.db.all(sql`
      select relname, role from pg_class, unnest(${roles}::text[]) as role
      where relnamespace = 'public'::regnamespace and relispartition and relkind = 'r'
        and has_table_privilege(role, oid, 'select, insert, update, delete, truncate, references, trigger')`),
  ).toEqual([])
})

test('the tables without a tenant are known, and closed to tenants but for a few', async () => {
  const catalogue = [
    'advisories',
    'advisory_feeds',
    'advisory_names',
    'advisory_parts',
    'advisory_rules',
    'catalogue',
    'catalogue_changes',
    'cve_likelihoods',
    'exploited_cves',
    'lifecycles',
  ]
  const known = [
    ...catalogue,
    'agent_release_parts',
    'agent_releases',
    'audit_signing_key',
    'cloud_issuer_keys',
    'cloud_totals',
    'compliance_drift',
    'flow_installation_stop',
    'installation',
    'known_devices',
    'migrations',
    'moved_keys',
    'nodes',
    'password_resets',
    'periodic_jobs',
    'rate_windows',
    'recent_writers',
    'recovery_codes',
    'sessions',
    'staged_entries',
    'tenant_moves',
    'tenants',
    'users',
    'webhook_workers',
    'wrong_guesses',
  ].toSorted()
  const others = (await tables(mine))
    .filter(({ has_tenant: hasTenant }) => !hasTenant)
    .map(({ name }) => name)
  expect(others).toEqual(known)
  const readable = await mine.db.all(sql<{ name: string }>`
    select name from unnest(${others}::text[]) as name where has_table_privilege(current_user, name, 'select')`)
  const ofInstallation = [
    'cloud_totals',
    'compliance_drift',
    'flow_installation_stop',
    'migrations',
    'tenant_moves',
    'tenants',
  ]
  expect(readable.map(({ name }) => name)).toEqual([...catalogue, ...ofInstallation].toSorted())
  await expect(mine.db.all(sql`select from audit_signing_key`)).rejects.toThrow('permission denied')
  expect(await mine.db.all(sql`select id from tenants`)).toEqual([{ id: mine.tenantId }])
})

test('even without the predicate a tenant reads no row of another', async () => {
  const names = (await tables(mine)).filter(({ has_tenant: hasTenant }) => hasTenant).map(({ name }) => name)
  let filled = 0
  for (const name of names) {
    const rows = sql<{
      n: number
    }>`select count(*) as n from ${sql.table(name)} where tenant_id = ${theirs.tenantId}`
    expect(await mine.db.one(rows)).toEqual({ n: 0 })
    filled += (await theirs.db.one(rows)).n > 0 ? 1 : 0
  }
  expect(filled).toBeGreaterThan(3)
})

test('the roles of the application own nothing and bypass nothing', async () => {
  const roles = await mine.db.all(sql`
    select rolname, rolsuper, rolbypassrls, rolcanlogin, exists (
      select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')) as owns_tables
    from pg_roles r where rolname in ('rollcall_app', 'rollcall_system') order by 1`)
  const powerless = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, owns_tables: false }
  expect(roles).toEqual([
    { rolname: 'rollcall_app', ...powerless },
    { rolname: 'rollcall_system', ...powerless },
  ])
})

test('two tenants that take turns on one connection never see each other', async () => {
  const { newTenant } = await testApp({ connections: 1 })
  const tenants = [await newTenant(), await newTenant()]
  for (const ctx of tenants) await createKey(ctx, { name: ctx.tenantId, scopes: ['read'] })
  const looks = Array.from({ length: 400 }, async (_, n) => {
    const ctx = tenants[n % 2] as Ctx
    const unguarded = await ctx.db.all(sql<{ name: string }>`select name from api_keys`)
    return [ctx.tenantId, (await listKeys(ctx)).map(({ name }) => name), unguarded.map(({ name }) => name)]
  })
  for (const [tenantId, guarded, unguarded] of await Promise.all(looks)) {
    expect(guarded).toEqual([tenantId])
    expect(unguarded).toEqual([tenantId])
  }
})

test('of people a tenant reads its own members, and of those nothing that opens an account', async () => {
  const { runtime, newTenant } = shared()
  const ctx = await newTenant()
  const person = await newPerson(shared(), ctx)
  await newPerson(shared(), theirs)
  expect(await ctx.db.all(sql`select id, email from users`)).toEqual([{ id: person.id, email: person.email }])
  for (const column of ['password_hash', 'totp_secret', 'totp_step'])
    await expect(ctx.db.all(sql`select ${sql.ref(column)} from users`)).rejects.toThrow('permission denied')
  await expect(ctx.db.run(sql`update users set name = 'x'`)).rejects.toThrow('permission denied')
  const { n } = await runtime.system.db.one(sql<{ n: number }>`select count(*)::int as n from users`)
  expect(n).toBeGreaterThan(1)
})
