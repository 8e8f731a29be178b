import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { getImport, startImport } from '../imports.ts'
import { begin, finish, giveBack, note, noteChecked, type Attempt } from '../store.ts'
import { upload, work } from '../uploads.fixture.ts'

const shared = sharedTestApp()

async function begun(ctx: Ctx, id: string): Promise<Attempt> {
  const attempt = await ctx.db.transaction((db) => begin({ ...ctx, db }, id, 10))
  if (!attempt || attempt === 'later') throw new Error('there is nothing to begin')
  return attempt
}

/** A worker that was thought to be dead, and the one that took over. */
async function twice(ctx: Ctx, id: string) {
  return { overtaken: await begun(ctx, id), latest: await begun(ctx, id) }
}

test('a worker that another has overtaken neither counts nor ends the import', async () => {
  const ctx = await shared().newTenant()
  const { id } = await upload(ctx, 'name\na\nb\n')
  await work(ctx, id)
  await startImport(ctx, id)
  const { overtaken, latest } = await twice(ctx, id)
  const before = await getImport(ctx, id)
  expect(before).toMatchObject({ status: 'running', observed: 0 })
  const end = { status: 'completed', message: '' } as const
  expect(await note(ctx, overtaken, { bytesRead: 5, observed: 7 })).toBe(false)
  expect(await finish(ctx, id, { ...end, attempt: overtaken.attempt })).toBeUndefined()
  await giveBack(ctx, overtaken, true)
  expect(await getImport(ctx, id)).toEqual(before)
  expect(await note(ctx, latest, { bytesRead: 5, observed: 2 })).toBe(true)
  expect(await finish(ctx, id, { ...end, attempt: latest.attempt })).toMatchObject({
    status: 'completed',
    observed: 2,
  })
  expect(await finish(ctx, id, end), 'it ends once').toBeUndefined()
})

test('nor does it say what it found in the file', async () => {
  const ctx = await shared().newTenant()
  const { id } = await upload(ctx, 'name\na\n')
  const { overtaken, latest } = await twice(ctx, id)
  const { preview } = await getImport(ctx, id)
  const found = { format: 'csv', preview: preview!, digest: 'ab'.repeat(32) }
  expect(await noteChecked(ctx, overtaken, found)).toBe(false)
  expect(await getImport(ctx, id)).toMatchObject({ status: 'checking' })
  expect(await noteChecked(ctx, latest, found)).toBe(true)
  expect(await getImport(ctx, id)).toMatchObject({ status: 'ready', format: 'csv' })
})
