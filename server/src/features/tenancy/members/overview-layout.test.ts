import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { removeUser } from './members.ts'
import { overviewLayout, setOverviewLayout } from './overview-layout.ts'

const shared = sharedTestApp()

const as = (ctx: Ctx, id: string): Ctx => ({ ...ctx, actor: { kind: 'user', id, may: () => true } })
const ARRANGED = { tiles: ['trends', 'coverage'], hidden: ['feeds'] }

test('each person has an own layout in each organisation, until they leave it', async () => {
  const ctx = await shared().newTenant()
  const [ann, bob] = [await newPerson(shared(), ctx), await newPerson(shared(), ctx)]
  await setOverviewLayout(as(ctx, ann.id), ARRANGED)
  await setOverviewLayout(as(ctx, ann.id), { ...ARRANGED, hidden: [] })
  expect(await overviewLayout(as(ctx, ann.id))).toEqual({ ...ARRANGED, hidden: [] })
  expect(await overviewLayout(as(ctx, bob.id))).toEqual({ tiles: [], hidden: [] })
  const other = await shared().newTenant()
  expect(await overviewLayout(as(other, ann.id))).toEqual({ tiles: [], hidden: [] })
  await removeUser(ctx, ann.id)
  expect(await overviewLayout(as(ctx, ann.id))).toEqual({ tiles: [], hidden: [] })
})

test('keys have none, and names of tiles are short words', async () => {
  const ctx = await shared().newTenant()
  await expect(setOverviewLayout(ctx, ARRANGED)).rejects.toThrow('belong to people')
  const ann = as(ctx, (await newPerson(shared(), ctx)).id)
  await expect(setOverviewLayout(ann, { tiles: ['<b>'], hidden: [] })).rejects.toThrow('tiles: must be')
  const many = Array.from({ length: 51 }, (_, at) =>
    `tile-${at}`.replace(/\d/g, (n) => 'abcdefghij'[Number(n)] ?? ''),
  )
  await expect(setOverviewLayout(ann, { tiles: [], hidden: many })).rejects.toThrow('hidden: must be')
})
