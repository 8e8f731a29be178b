import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { record, verifyAudit } from './audit.ts'
import { commands } from './cli.ts'

const TEXT = sql`audit_text(id, tenant_id, at, actor_kind, actor_id, actor_name, address, action, subject_type,
  subject_id, details)`

const thing = (id: string) => ({ type: 'thing', id })

/** A tenant with five entries: the one of its making, and four. */
async function written(): Promise<TestApp & { ctx: Ctx }> {
  const it = await testApp()
  const ctx = await it.newTenant()
  for (const id of ['1', '2', '3', '4']) await record(ctx, 'thing.made', thing(id), { id })
  return { ...it, ctx }
}

/** Someone with all of the database in his hands: the owner of the tables, whom row-level security does not hold. */
async function tamper({ where }: TestApp, ...statements: string[]): Promise<void> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const nth = (n: number) => `(select entry_id from audit_links where seq = ${n} order by tenant_id limit 1)`

test('a log that nobody touched verifies, and its head is the SHA-256 that anyone can compute', async () => {
  const { ctx } = await written()
  const { entries, head, faults } = await verifyAudit(ctx)
  expect({ entries, faults, seq: head?.seq }).toEqual({ entries: 5, faults: [], seq: 5 })
  const texts = await ctx.db.all(sql<{ text: string }>`select ${TEXT} as text from audit_entries order by id`)
  const hash = texts.reduce(
    (previous, { text }) => createHash('sha256').update(previous).update(text).digest(),
    Buffer.alloc(0),
  )
  expect(head?.hash).toBe(hash.toString('hex'))
})

test.each([
  ['changed', `update audit_entries set details = '{}' where id = ${nth(3)}`, /^link 3: entry \d+ is not as/],
  [
    'moved to another time',
    `update audit_entries set at = at - interval '1 day' where id = ${nth(3)}`,
    /^link 3/,
  ],
  ['given to someone else', `update audit_entries set actor_id = 'eve' where id = ${nth(5)}`, /^link 5/],
])('an entry that was %s is found', async (_, statement, fault) => {
  const it = await written()
  await tamper(it, statement)
  expect((await verifyAudit(it.ctx)).faults).toEqual([expect.stringMatching(fault)])
})

test('an entry that was removed with its link is found', async () => {
  const it = await written()
  await tamper(
    it,
    `create temp table gone as select ${nth(2)} as id`,
    'delete from audit_links where seq = 2',
    'delete from audit_entries where id in (select id from gone)',
  )
  expect((await verifyAudit(it.ctx)).faults).toContain('link 3: the one before it is missing')
})

test('the last entry, removed with its link, is missed by the head', async () => {
  const it = await written()
  await tamper(
    it,
    `create temp table gone as select ${nth(5)} as id`,
    'delete from audit_links where seq = 5',
    'delete from audit_entries where id in (select id from gone)',
  )
  expect((await verifyAudit(it.ctx)).faults).toEqual(['link 5: the last one is missing'])
})

test('an entry that was slipped in past the chain has no link', async () => {
  const it = await written()
  await tamper(
    it,
    `insert into audit_entries (tenant_id, actor_kind, actor_id, action, subject_type, subject_id, details)
     values ('${it.ctx.tenantId}', 'user', 'eve', 'thing.made', 'thing', '9', '{}')`,
  )
  expect((await verifyAudit(it.ctx)).faults).toEqual([expect.stringMatching(/^entry \d+: has no link$/)])
})

test('a chain that was rewritten whole no longer goes through a link that was noted before', async () => {
  const it = await written()
  const { head } = await verifyAudit(it.ctx)
  if (!head) throw new Error('no head')
  expect((await verifyAudit(it.ctx, head)).faults).toEqual([])
  await tamper(
    it,
    `update audit_entries set details = '{"forged": true}' where id = ${nth(3)}`,
    `create temp table entries as select e.* from audit_entries e join audit_links l on l.entry_id = e.id order by l.seq`,
    'delete from audit_links',
    'delete from audit_heads',
    `select link_audit_entries(tenant_id, array_agg(id)) from audit_entries group by tenant_id`,
  )
  expect((await verifyAudit(it.ctx)).faults).toEqual([])
  expect((await verifyAudit(it.ctx, head)).faults).toEqual(['link 5: is not the one that was noted'])
})

test('entries of transactions that run side by side make one chain, each tenant its own', async () => {
  const it = await testApp({ connections: 8 })
  const tenants = [await it.newTenant(), await it.newTenant()]
  const writes = Array.from({ length: 60 }, (_, n) => {
    const ctx = tenants[n % 2] as Ctx
    return atomically(ctx, async (inner) => {
      await record(inner, 'thing.made', thing(String(n)))
      await record(inner, 'thing.lost', thing(String(n)))
    })
  })
  await Promise.all(writes)
  for (const ctx of tenants)
    expect(await verifyAudit(ctx)).toMatchObject({ entries: 61, head: { seq: 61 }, faults: [] })
})

test('neither a tenant nor an engine rewrites the chain', async () => {
  const { ctx, runtime } = await written()
  const attempts = [
    [ctx, sql`update audit_heads set seq = 0`],
    [ctx, sql`delete from audit_heads`],
    [ctx, sql`insert into audit_links values (${ctx.tenantId}, 99, 1, '')`],
    [ctx, sql`delete from audit_links`],
    [runtime.system, sql`update audit_links set hash = ''`],
    [runtime.system, sql`delete from audit_links`],
    [runtime.system, sql`delete from audit_heads`],
    [runtime.system, sql`delete from audit_entries`],
  ] as const
  for (const [{ db }, statement] of attempts)
    await expect(db.run(statement)).rejects.toThrow('permission denied')
})

test('the command says what it found and where the chain ends', async () => {
  const it = await written()
  const verify = commands.find(({ path }) => path === 'audit verify')
  const run = (options = {}) => verify?.run(it.ctx, { args: {}, options })
  const { head } = await verifyAudit(it.ctx)
  expect((await run())?.text).toContain(`Last link 5:${head?.hash}`)
  expect(await run({ anchor: `5:${head?.hash}` })).not.toHaveProperty('isBad')
  expect(await run({ anchor: `4:${head?.hash}` })).toMatchObject({ isBad: true })
  await expect(run({ anchor: '5' })).rejects.toMatchObject({ extras: { field: 'anchor' } })
  await tamper(it, `update audit_entries set action = 'x' where id = ${nth(2)}`)
  expect(await run()).toMatchObject({ isBad: true, text: expect.stringContaining('link 2') })
})
