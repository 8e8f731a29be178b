import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { atomically } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { difference, record, searchAudit, verifyAudit } from './audit.ts'

const someone = {
  kind: 'user',
  id: 'u-1',
  name: 'ada@example.org',
  address: '192.0.2.7',
  may: () => true,
} as const

const firstPage = { limit: 50, offset: 0 }

test('an entry says who, what and to which thing, newest first', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await record(ctx, 'thing.made', { type: 'thing', id: '1' })
  await record(ctx, 'thing.lost', { type: 'thing', id: '2' }, { why: 'rain' })
  const { items } = await searchAudit(ctx, firstPage)
  expect(items.slice(0, 2)).toEqual([
    {
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      actor: { kind: 'system', id: ctx.actor.id, name: null },
      address: null,
      action: 'thing.lost',
      subject: { type: 'thing', id: '2' },
      details: { why: 'rain' },
    },
    expect.objectContaining({ action: 'thing.made', details: {} }),
  ])
})

test('an entry goes with the transaction that failed', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const before = await searchAudit(ctx, firstPage)
  const failing = atomically(ctx, async (inner) => {
    await record(inner, 'thing.made', { type: 'thing', id: '1' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await searchAudit(ctx, firstPage)).toEqual(before)
})

test('nobody changes what is written', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await record(ctx, 'thing.made', { type: 'thing', id: '1' })
  await expect(ctx.db.run(sql`update audit_entries set action = 'x'`)).rejects.toThrow('permission denied')
  await expect(ctx.db.run(sql`delete from audit_entries`)).rejects.toThrow('permission denied')
})

test('an actor without the permission reads nothing', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const actor = { kind: 'user', id: 'u', may: () => false } as const
  await expect(searchAudit({ ...ctx, actor }, firstPage)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(verifyAudit({ ...ctx, actor })).rejects.toMatchObject({ code: 'forbidden' })
})

test.each([
  [{ actorId: 'u-1' }, ['thing.lost']],
  [{ action: 'thing.made' }, ['thing.made']],
  [{ action: 'thing.' }, ['thing.lost', 'thing.made']],
  [{ action: 'thing' }, []],
  [{ subjectType: 'thing', subjectId: '2' }, ['thing.lost']],
  [{ text: 'RAIN' }, ['thing.lost']],
  [{ text: 'ada@' }, ['thing.lost']],
  [{ text: '192.0.2.7' }, ['thing.lost']],
  [{ text: '%' }, []],
  [{ from: '2000-01-01T00:00:00Z', action: 'thing.made' }, ['thing.made']],
  [{ until: '2000-01-01T00:00:00Z' }, []],
])('%j finds %j', async (wanted, actions) => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await record(ctx, 'thing.made', { type: 'thing', id: '1' })
  await record({ ...ctx, actor: someone }, 'thing.lost', { type: 'thing', id: '2' }, { why: 'rain' })
  const { items, total } = await searchAudit(ctx, { ...firstPage, ...wanted })
  expect(items.map(({ action }) => action)).toEqual(actions)
  expect(total).toBe(actions.length)
})

test('a time that is none is refused, naming its field', async () => {
  const { newTenant } = await testApp()
  const looking = searchAudit(await newTenant(), { ...firstPage, until: 'yesterday' })
  await expect(looking).rejects.toMatchObject({ status: 400, extras: { field: 'until' } })
})

test('of a change the fields that differ are told, before and after', () => {
  const before = { name: 'a', tags: ['x'], size: 1 }
  expect(difference(before, { name: 'b', tags: ['x'], size: 1 })).toEqual({
    before: { name: 'a' },
    after: { name: 'b' },
  })
  expect(difference(before, { ...before, tags: [] })).toEqual({
    before: { tags: ['x'] },
    after: { tags: [] },
  })
  expect(difference(before, { ...before })).toEqual({ before: {}, after: {} })
})
