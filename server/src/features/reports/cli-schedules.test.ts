import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteAsset } from '#features/assets/assets.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { commands } from './cli.ts'
import { addDevices, assetNamed, generated, latest, work } from './reports.fixture.ts'
import { createReport, runReport } from './reports.ts'

const app = sharedTestApp()

interface Call {
  readonly args?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string | true>>
}

async function run<T = Record<string, unknown>>(
  ctx: Ctx,
  path: string,
  { args = {}, options = {} }: Call = {},
) {
  const command = commands.find((it) => it.path === `report ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  const result: CommandResult = await command.run(ctx, { args, options })
  return { ...result, json: result.json as T }
}

test('a report is generated at set times until these are taken away', async () => {
  const ctx = await app().newTenant()
  const { email } = await newPerson(app(), ctx, { isAdmin: true })
  const { id } = await createReport(ctx, { name: 'n', type: 'topology' })
  const schedule = (options: NonNullable<Call['options']>) => run(ctx, 'schedule', { args: { id }, options })
  const weekly = await schedule({ cron: '0 6 * * 1', zone: 'Europe/Berlin', recipient: email })
  expect(weekly.json).toEqual({
    id,
    cron: '0 6 * * 1',
    zone: 'Europe/Berlin',
    next_run_at: expect.stringMatching(/T0[45]:00:00/) as string,
    recipients: [email],
  })
  expect(weekly.text).toBe(`Next: ${String(weekly.json['next_run_at'])}`)
  const utc = await schedule({ cron: '0 6 * * 1' })
  expect(utc.json).toMatchObject({
    zone: 'UTC',
    next_run_at: expect.stringMatching(/T06:00:00/),
    recipients: [],
  })
  const off = await schedule({ cron: '0 6 * * 1', off: true })
  expect(off).toMatchObject({ json: { cron: null, next_run_at: null }, text: 'No longer at set times.' })
  await expect(schedule({ cron: 'soon' })).rejects.toMatchObject({ status: 400 })
})

test('a report that is saved with times is not generated now', async () => {
  const ctx = await app().newTenant()
  const { email } = await newPerson(app(), ctx, { isAdmin: true })
  const options = { name: 'n', type: 'topology', cron: '0 6 * * 1', recipient: email }
  const made = await run<{ id: string; format: string }>(ctx, 'create', { options })
  expect(made.json).toMatchObject({
    format: 'csv',
    status: expect.not.stringMatching('generating') as string,
  })
  const { scheduled } = await ctx.db.one(sql<{ scheduled: object }>`
    select jsonb_build_object('cron', schedule, 'zone', zone) as scheduled from reports
    where tenant_id = ${ctx.tenantId} and id = ${made.json.id}`)
  expect(scheduled).toEqual({ cron: '0 6 * * 1', zone: 'UTC' })
})

test('a snapshot is pinned, and no longer', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  const { id: snapshot } = await latest(ctx, report.id)
  const pin = (options: NonNullable<Call['options']> = {}) => run(ctx, 'pin', { args: { snapshot }, options })
  expect(await pin()).toEqual({ json: { snapshot, is_pinned: true }, text: 'Pinned.' })
  expect((await latest(ctx, report.id)).isPinned).toBe(true)
  expect(await pin({ off: true })).toEqual({
    json: { snapshot, is_pinned: false },
    text: 'No longer pinned.',
  })
  expect((await latest(ctx, report.id)).isPinned).toBe(false)
})

test('two snapshots of a report are compared row by row', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'stays', 'goes', 'changes')
  const { report } = await generated(ctx, { name: 'n', type: 'asset_audit' })
  const before = await latest(ctx, report.id)
  await addDevices(ctx, 'comes')
  await ctx.db.run(sql`
    update assets set vendor = 'Other' where tenant_id = ${ctx.tenantId} and name = 'changes'`)
  await deleteAsset(ctx, await assetNamed(ctx, 'goes'))
  await runReport(ctx, report.id)
  await work(ctx, report.id)
  const after = await latest(ctx, report.id)
  const compare = (from: string, to: string) => run(ctx, 'compare', { args: { from, to } })
  const { text } = await compare(before.id, after.id)
  const lines = text.split('\n')
  expect(lines[0]).toMatch(/^\+ comes {2}\S/)
  expect(lines[1]).toMatch(/^- goes {2}\S/)
  expect(lines[2]).toMatch(/^~ changes {2}\S/)
  expect(lines).toContainEqual(expect.stringMatching(/^ {4}vendor\S*: Acme → Other$/i))
  expect(lines.at(-1)).toBe('1 unchanged')
  expect((await compare(before.id, before.id)).text).toBe('3 unchanged')
  const other = await generated(ctx, { name: 'm', type: 'asset_audit' })
  const elsewhere = (await latest(ctx, other.report.id)).id
  await expect(compare(before.id, elsewhere)).rejects.toThrow('to: must be a snapshot of the same report')
  for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
    await expect(compare(before.id, id)).rejects.toThrow('snapshot not found')
})

test('reports are listed by pages, newest first', async () => {
  const ctx = await app().newTenant()
  for (const name of ['a', 'b', 'c']) await createReport(ctx, { name, type: 'topology', format: 'pdf' })
  const list = async (options: NonNullable<Call['options']> = {}) =>
    (await run(ctx, 'list', { options })).text.split('\n').map((line) => line.replace(/^\S+ {2}/, ''))
  const line = (name: string) => `generating  topology (pdf)  ${name}`
  expect(await list()).toEqual(['c', 'b', 'a'].map(line))
  expect(await list({ limit: '1', offset: '1' })).toEqual([line('b')])
})
