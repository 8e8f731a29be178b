import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { commands } from './cli.ts'
import { jobs } from './jobs.ts'
import { addDevices, bytesOf, generated, latest } from './reports.fixture.ts'
import { reportFormats } from './report.ts'

const app = sharedTestApp()

interface Call {
  readonly args?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string | true>>
}

async function run(ctx: Ctx, path: string, { args = {}, options = {} }: Call = {}): Promise<CommandResult> {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args, options })
}

const file = (): string => join(temporaryFolder(), 'file')

test('report create --wait comes back with a report that can be downloaded, run again, listed and deleted', async () => {
  const ctx = await app().newTenant()
  const { database, system, contextFor } = app().runtime
  const queue = startQueue({ database, system, contextFor }, jobs)
  onTestFinished(() => queue.stop())
  await addDevices(ctx, 'web-1')
  const options = { name: 'Stock-take', type: 'asset_audit', format: 'xml', wait: true } as const
  const { json } = await run(ctx, 'report create', { options })
  const { id } = json as { id: string }
  expect(json).toMatchObject({ name: 'Stock-take', status: 'available', format: 'xml' })
  const output = file()
  expect((await run(ctx, 'report download', { args: { id }, options: { output } })).text).toContain(output)
  expect((await readFile(output)).equals(await bytesOf(ctx, id))).toBe(true)
  await run(ctx, 'report run', { args: { id }, options: { wait: true } })
  expect((await run(ctx, 'report list')).text).toContain('available  asset_audit (xml)  Stock-take')
  await run(ctx, 'report delete', { args: { id } })
  expect((await run(ctx, 'report list')).json).toEqual([])
})

test.each(reportFormats)(
  'report verify makes a file of %s again, and sees what was changed',
  async (format) => {
    const ctx = await app().newTenant()
    await addDevices(ctx, 'web-1')
    const { report } = await generated(ctx, { name: 'n', type: 'inventory_summary', format })
    const { id: snapshot } = await latest(ctx, report.id)
    const verify = () => run(ctx, 'report verify', { args: { snapshot } })
    expect(await verify()).toMatchObject({ json: { faults: [] } })
    await ctx.db.run(sql`
    update report_chunks set content = content || decode('00', 'hex')
    where tenant_id = ${ctx.tenantId} and snapshot_id = ${snapshot} and part = 'file'`)
    expect(await verify()).toMatchObject({
      isBad: true,
      json: { faults: ['the stored file is not the one that was made'] },
    })
  },
)

test('report download names what cannot be written', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  const options = { output: '/nowhere/at/all' }
  await expect(run(ctx, 'report download', { args: { id: report.id }, options })).rejects.toThrow(
    /^output: .*ENOENT/,
  )
})

test('budget settings, price and rate answer what is set', async () => {
  const ctx = await app().newTenant()
  const settings = { currency: 'chf', 'price-rise': '0.02' }
  expect((await run(ctx, 'budget settings', { options: settings })).json).toEqual({
    currency: 'CHF',
    price_rise: '0.02',
  })
  expect((await run(ctx, 'budget settings')).text).toBe('currency: CHF, price rise a year: 0.02')
  const price = { price: '8200.00', currency: 'EUR', 'life-months': '60' }
  expect(
    (await run(ctx, 'budget price', { args: { 'device-type': 'server' }, options: price })).json,
  ).toEqual({
    device_type: 'server',
    price: '8200.00',
    currency: 'EUR',
    life_months: 60,
  })
  const rate = { args: { currency: 'EUR', rate: '0.95' }, options: { day: '2026-11-01' } }
  expect((await run(ctx, 'budget rate', rate)).text).toBe('EUR: 0.95 from 2026-11-01 on')
})
