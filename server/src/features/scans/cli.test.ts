import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createCollector } from '#features/collectors/collectors.ts'
import { createPlace } from '#features/records/places/places.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { jobs } from './jobs.ts'
import { addTouches } from './touches/touch-store.ts'

const home = sharedTestApp()

interface Call {
  readonly args?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string | true>>
}

async function run(ctx: Ctx, path: string, { args = {}, options = {} }: Call = {}): Promise<CommandResult> {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args, options })
}

const idOf = ({ json }: CommandResult): string => (json as { id: string }).id

test('target create answers the target with its id; target list shows it; target delete ends it', async () => {
  const ctx = await home().newTenant()
  const created = await run(ctx, 'target create', { options: { name: 'Office', cidr: '10.1.2.3/24' } })
  const target = {
    id: expect.any(String),
    name: 'Office',
    cidr: '10.1.2.0/24',
    collector_ids: [],
    site_id: null,
    industrial_reads: [],
    created_at: expect.any(String),
  }
  expect(created.json).toEqual(target)
  expect(created.text).toContain('10.1.2.0/24')
  const host = await run(ctx, 'target create', { options: { name: 'Printer', host: '10.1.2.9' } })
  expect(host.json).toMatchObject({ host: '10.1.2.9' })
  await run(ctx, 'target delete', { args: { id: idOf(host) } })
  expect((await run(ctx, 'target list')).json).toEqual([target])
})

test.each([
  [{ name: 'Office' }, /^cidr: /],
  [{ name: 'Office', cidr: '10.0.0.0/8' }, /^cidr: .*too large/],
  [{ name: 'Office', cidr: '10.0.0.0/24', host: 'a' }, /^host: .*not both/],
])('target create with %j is refused', async (options, message) => {
  const ctx = await home().newTenant()
  await expect(run(ctx, 'target create', { options })).rejects.toThrow(message)
})

test('a target of many entries is made, changed and told as it is', async () => {
  const ctx = await home().newTenant()
  const { collector } = await createCollector(ctx, { name: 'Oslo' })
  const site = await createPlace(ctx, { name: 'Oslo', kind: 'site' })
  const made = await run(ctx, 'target create', {
    options: {
      name: 'sites',
      entry: '192.0.2.0/28\nhost.example',
      exclude: '192.0.2.1\n192.0.2.2',
      collector: collector.id,
      site: site.id,
      industrial: 'modbus\nmqtt',
    },
  })
  const id = idOf(made)
  const target = {
    id,
    name: 'sites',
    entries: ['192.0.2.0/28', 'host.example'],
    exclusions: ['192.0.2.1', '192.0.2.2'],
    collector_ids: [collector.id],
    site_id: site.id,
    industrial_reads: ['modbus', 'mqtt'],
    created_at: expect.any(String),
  }
  expect(made.json).toEqual(target)
  expect(made.text).toBe(`${id}  192.0.2.0/28, host.example without 192.0.2.1, 192.0.2.2  sites`)
  const update = (options: Call['options'] = {}) => run(ctx, 'target update', { args: { id }, options })
  expect((await update()).json).toEqual(target)
  expect((await update({ name: 'one', exclude: '192.0.2.3' })).json).toEqual({
    ...target,
    name: 'one',
    exclusions: ['192.0.2.3'],
  })
  const none = await update({ collector: 'none', site: 'none', industrial: 'none', entry: '192.0.2.9' })
  expect(none.json).toMatchObject({ name: 'one', collector_ids: [], site_id: null, industrial_reads: [] })
  expect((await run(ctx, 'target list')).text).toBe(none.text)
  expect(await run(ctx, 'target delete', { args: { id } })).toEqual({ json: { id }, text: 'Deleted.' })
})

test('whoever knows the id of a target or a scan need not say the tenant', async () => {
  const ctx = await home().newTenant()
  const { system } = home().runtime
  const target = idOf(await run(ctx, 'target create', { options: { name: 'a', cidr: '192.0.2.0/30' } }))
  const scan = idOf(await run(ctx, 'scan start', { options: { target } }))
  const tenantOf = (path: string, { args = {}, options = {} }: Call) =>
    commands.find((it) => it.path === path)?.tenantOf?.(system, { args, options })
  for (const path of ['target update', 'target delete'])
    expect(await tenantOf(path, { args: { id: target } })).toBe(ctx.tenantId)
  expect(await tenantOf('scan start', { options: { target } })).toBe(ctx.tenantId)
  expect(await tenantOf('scan cancel', { args: { id: scan } })).toBe(ctx.tenantId)
  for (const id of ['x', '00000000-0000-4000-8000-000000000000']) {
    await expect(tenantOf('target delete', { args: { id } })).rejects.toThrow('scan target not found')
    await expect(tenantOf('scan cancel', { args: { id } })).rejects.toThrow('scan not found')
  }
})

test('what scans sent to devices is told by asset and address, with its reason', async () => {
  const ctx = await home().newTenant()
  const target = idOf(await run(ctx, 'target create', { options: { name: 'a', cidr: '192.0.2.0/30' } }))
  const scan = idOf(await run(ctx, 'scan start', { options: { target } }))
  const [asset, began] = ['00000000-0000-4000-8000-00000000000a', new Date('2026-03-01T12:00:00Z')]
  const touch = {
    assetId: null,
    beganAt: began,
    seconds: 1.25,
    packets: 30,
    probes: 12,
    logins: 1,
    isEstimated: true,
  }
  const later = { ...touch, beganAt: new Date(began.getTime() + 1_000), seconds: 0.04, isEstimated: false }
  await addTouches(ctx, scan, [
    { ...touch, address: '192.0.2.1' },
    { ...later, address: '192.0.2.2', assetId: asset },
  ])
  await ctx.db.run(sql`
    update scans set started_by = '{"kind": "user", "name": "Ada"}' where tenant_id = ${ctx.tenantId}`)
  const touches = async (options: Call['options'] = {}) => run(ctx, 'scan touches', { options })
  const [first, second] = [
    '2026-03-01T12:00:01.000Z  192.0.2.2  sweep: 30 packets, 12 probes, 1 logins, 0.0 s  scan by Ada',
    '2026-03-01T12:00:00.000Z  192.0.2.1  sweep: about 30 packets, 12 probes, 1 logins, 1.3 s  scan by Ada',
  ]
  expect((await touches()).text).toBe(`${first}\n${second}`)
  expect((await touches({ asset })).text).toBe(first)
  expect((await touches({ address: '192.0.2.1' })).text).toBe(second)
  expect((await touches({ limit: '1', offset: '1' })).text).toBe(second)
  expect((await touches({ asset })).json).toEqual([
    {
      scan_id: scan,
      scan_type: 'sweep',
      address: '192.0.2.2',
      asset_id: asset,
      seconds: expect.closeTo(0.04),
      packets: 30,
      probes: 12,
      logins: 1,
      is_estimated: false,
      cause: 'scan',
      run_id: null,
      run: null,
      began_at: expect.anything(),
      started_by: 'Ada',
    },
  ])
  await ctx.db.run(sql`
    update scans set run = '{"id": "r", "name": "nightly", "cause": "schedule"}' where tenant_id = ${ctx.tenantId}`)
  const ofRun = await touches({ asset })
  expect(ofRun.text).toMatch(/0\.0 s {2}nightly \(schedule\)$/)
  expect(ofRun.json).toMatchObject([{ cause: 'schedule', run_id: 'r', run: 'nightly' }])
})

test('scan start --wait comes back with the finished scan; scan list shows it', async () => {
  const ctx = await home().newTenant()
  const { database, system, contextFor } = home().runtime
  const queue = startQueue({ database, system, contextFor }, jobs)
  onTestFinished(() => queue.stop())
  const target = idOf(await run(ctx, 'target create', { options: { name: 'Here', cidr: '127.77.2.0/30' } }))
  const scan = await run(ctx, 'scan start', { options: { target, wait: true } })
  expect(scan.json).toMatchObject({
    type: 'sweep',
    target: '127.77.2.0/30',
    status: 'completed',
    asset_count: 4,
  })
  expect(scan.isBad).toBeUndefined()
  expect((await run(ctx, 'scan list')).json).toEqual([scan.json])
  const host = { name: 'Nobody', host: 'nobody.invalid' }
  const unknown = idOf(await run(ctx, 'target create', { options: host }))
  const failed = await run(ctx, 'scan start', { options: { target: unknown, type: 'ssh', wait: true } })
  expect(failed).toMatchObject({ isBad: true, json: { type: 'ssh', status: 'failed' } })
  expect((await run(ctx, 'scan list', { options: { limit: '1' } })).json).toEqual([failed.json])
  expect((await run(ctx, 'scan list', { options: { offset: '1' } })).text).toBe(scan.text)
})

test('scan start comes back at once; scan cancel ends the scan', async () => {
  const ctx = await home().newTenant()
  const elsewhere = { name: 'Nowhere', cidr: '192.0.2.0/24' }
  const target = idOf(await run(ctx, 'target create', { options: elsewhere }))
  const started = await run(ctx, 'scan start', { options: { target } })
  expect(started.json).toMatchObject({ status: 'pending', started_at: null })
  const cancelled = await run(ctx, 'scan cancel', { args: { id: idOf(started) } })
  expect(cancelled.json).toMatchObject({ id: idOf(started), status: 'cancelled' })
  expect(cancelled.text).toContain('sweep 192.0.2.0/24  cancelled')
})
