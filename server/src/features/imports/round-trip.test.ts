import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { createDemoData } from '#features/demo/demo.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

const ALL = { limit: 1_000, offset: 0 }
const SWEEP = { kind: 'sweep', name: 'office' }

/** What `GET /assets/export` answers, brought back by `rollcall import`. */
async function exportAndImport({ as, key }: TestApp, ctx: Ctx): Promise<unknown> {
  const { status, text } = await as(await key(ctx, ['read'])).get('/assets/export?format=csv')
  expect(status).toBe(200)
  const folder = await mkdtemp(join(tmpdir(), 'round-trip-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'assets.csv')
  await writeFile(file, text)
  const { json } = await commands[0]!.run(ctx, { args: { file }, options: {} })
  return json
}

const all = async (ctx: Ctx) => (await listAssets(ctx, ALL)).items

test('our own export, brought back, changes nothing and says so, the first time and every time', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  await createDemoData(ctx, { assets: 300, seed: 7 })
  await submit(ctx, SWEEP, [
    { sourceKey: 'a', seenAt: ctx.now(), identifiers: [{ type: 'ip', value: '203.0.113.9' }] },
    { sourceKey: 'b', seenAt: ctx.now(), identifiers: [], name: '=cmd()', tags: ['a b', '-c'] },
  ])
  const before = await all(ctx)
  const same = {
    observed: before.length,
    created: 0,
    updated: 0,
    unchanged: before.length,
    rejected: [],
    rejectedTotal: 0,
  }
  expect(await exportAndImport(home, ctx)).toEqual(same)
  expect(await all(ctx)).toEqual(before)
  expect(await exportAndImport(home, ctx)).toEqual(same)
})

test('what was known by its address alone is called by its name when that is found', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const seen = { sourceKey: 'a', seenAt: ctx.now() }
  const [ip, mac] = ['203.0.113.9', '3c:2a:f4:02:34:5f']
  const identifiers = [{ type: 'ip', value: ip } as const, { type: 'mac', value: mac } as const]
  await submit(ctx, SWEEP, [{ ...seen, identifiers }])
  await exportAndImport(home, ctx)
  await submit(ctx, SWEEP, [{ ...seen, identifiers: [...identifiers, { type: 'hostname', value: 'web-1' }] }])
  expect(await all(ctx)).toMatchObject([{ name: 'web-1', ipAddress: ip }])
})
