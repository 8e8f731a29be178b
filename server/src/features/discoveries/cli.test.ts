import { beforeAll, expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { createTarget, updateTarget } from '#features/scans/scans.ts'
import { submit } from '#features/sources/sources.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import type { Discovery, DiscoveryRun } from './discovery.ts'
import { jobs } from './jobs.ts'

const home = sharedTestApp()
const NOWHERE = '00000000-0000-4000-8000-000000000000'

beforeAll(() => {
  const { database, system, contextFor } = home().runtime
  const queue = startQueue({ database, system, contextFor }, jobs)
  return () => queue.stop()
})

interface Call {
  readonly args?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string | true>>
}

async function run<T = { id: string }>(
  ctx: Ctx,
  path: string,
  { args = {}, options = {} }: Call = {},
): Promise<Omit<CommandResult, 'json'> & { json: T }> {
  const result = await commandOf(path).run(ctx, { args, options })
  return { ...result, json: result.json as T }
}

function commandOf(path: string) {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command
}

async function scene(entries: readonly string[], more: Call['options'] = {}) {
  const ctx = await home().newTenant()
  const { id: target } = await createTarget(ctx, { name: 'site', entries })
  const options = { name: 'nightly', target, ...more }
  const { json } = await run<Discovery>(ctx, 'discovery create', { options })
  return { ctx, target, discovery: json, args: { id: json.id } }
}

test('a discovery is made, changed, listed and deleted', async () => {
  const { ctx, discovery, args } = await scene(['192.0.2.0/30'])
  const { id } = args
  const list = () => run<Discovery[]>(ctx, 'discovery list')
  expect(await list()).toEqual({ json: [discovery], text: `${id}  nightly  192.0.2.0/30  no schedule` })
  const cron = { cron: '0 2 * * *', zone: 'Europe/Berlin' }
  const { json, text } = await run<Discovery>(ctx, 'discovery update', { args, options: cron })
  expect(json).toEqual({ ...discovery, ...cron, nextAt: expect.stringMatching(/T0[01]:00:00/) as string })
  expect(text).toBe(`${id}  nightly  192.0.2.0/30  0 2 * * * Europe/Berlin, next ${json.nextAt}`)
  const other = await createTarget(ctx, { name: 'other', entries: ['198.51.100.0/30'] })
  const options = { name: 'weekly', target: other.id, pause: true } as const
  const paused = await run(ctx, 'discovery update', { args, options })
  expect(paused.text).toBe(`${id}  weekly  198.51.100.0/30  0 2 * * * Europe/Berlin, next paused`)
  expect(await run(ctx, 'discovery delete', { args })).toEqual({ json: { id }, text: 'Deleted.' })
  expect((await list()).json).toEqual([])
})

test.each<[Call['options'], Partial<Discovery>]>([
  [{}, { types: ['ssh', 'wmi', 'snmp', 'vmware', 'hypervisor'], hostsAtOnce: 16, zone: 'UTC', windows: [] }],
  [{ login: 'wmi\nssh\nwmi' }, { types: ['wmi', 'ssh'] }],
  [{ 'at-once': '3' }, { hostsAtOnce: 3 }],
  [{ cron: '' }, { cron: null, nextAt: null, isEnabled: true }],
  [{ pause: true }, { isEnabled: false }],
  [{ resume: true }, { isEnabled: true }],
  [
    { window: '1,2,3 22:00-05:00\n 0 01:30-02:00' },
    {
      windows: [
        { days: [1, 2, 3], from: '22:00', to: '05:00' },
        { days: [0], from: '01:30', to: '02:00' },
      ],
    },
  ],
])('of the settings %j comes %j', async (options, settings) => {
  expect((await scene(['192.0.2.0/30'], options)).discovery).toMatchObject(settings)
})

test.each<[Call['options'], string, RegExp]>([
  [{ pause: true, resume: true }, 'pause', /either --pause or --resume/],
  [{ window: 'mon 22:00-05:00' }, 'window', /"mon 22:00-05:00" must be like/],
  [{ window: '7 22:00-05:00' }, 'window', /"7 22:00-05:00" must be like/],
  [{ login: 'telnet' }, 'types', /one of ssh, wmi/],
  [{ 'at-once': 'many' }, 'hostsAtOnce', /must be 1 to 64/],
])('the settings %j are refused', async (options, field, message) => {
  await expect(scene(['192.0.2.0/30'], options)).rejects.toMatchObject({
    status: 400,
    extras: { field },
    message: expect.stringMatching(message) as string,
  })
})

test('a run that is waited for says what it found, and the next what is otherwise', async () => {
  const { ctx, args } = await scene(['127.77.8.0/31'], { login: 'snmp' })
  const start = () => run<DiscoveryRun>(ctx, 'discovery start', { args, options: { wait: true } })
  const first = await start()
  expect(first.json).toMatchObject({ status: 'completed', hostsFound: 2, notAsked: 2, share: 1 })
  expect(first.isBad).toBeUndefined()
  const summary = '2 addresses, 2 live, 0 logged in, 2 not asked'
  expect(first.text).toBe(`${first.json.id}  nightly  completed: ${summary}`)
  const second = await start()
  expect(second.text).toBe(`${second.json.id}  nightly  completed: ${summary}; 0 new, 0 changed, 0 gone`)
  const runs = await run<DiscoveryRun[]>(ctx, 'discovery runs', { args })
  expect(runs).toEqual({ json: [second.json, first.json], text: `${second.text}\n${first.text}` })
  const oldest = await run(ctx, 'discovery runs', { options: { limit: '1', offset: '1' } })
  expect(oldest.json).toEqual([first.json])
  const hosts = (options: Call['options'] = {}, of = second) =>
    run<{ address: string }[]>(ctx, 'discovery hosts', { args: { id: of.json.id }, options })
  expect((await hosts({ limit: '1' })).text).toMatch(
    /^127\.77\.8\.0 {2}not_asked {2}unchanged {2}\S+ {2}\S.+$/,
  )
  expect((await hosts({ limit: '1' }, first)).text).toMatch(/^127\.77\.8\.0 {2}not_asked {2}\S+ {2}\S.+$/)
  const found = async (options: Call['options']) => (await hosts(options)).json.map(({ address }) => address)
  expect(await found({})).toEqual(['127.77.8.0', '127.77.8.1'])
  expect(await found({ offset: '1' })).toEqual(['127.77.8.1'])
  expect(await found({ outcome: 'not_asked', change: 'unchanged' })).toHaveLength(2)
  expect(await found({ outcome: 'refused' })).toEqual([])
  expect(await found({ change: 'new' })).toEqual([])
})

test('a run that fails is told as one', async () => {
  // a name that never resolves (RFC 6761, 6.4)
  const { ctx, target, args } = await scene(['127.77.8.4/31'])
  await updateTarget(ctx, target, { exclusions: ['fragile.invalid'] })
  const failed = await run(ctx, 'discovery start', { args, options: { wait: true } })
  expect(failed).toMatchObject({ isBad: true, json: { status: 'failed' } })
  expect(failed.text).toContain('fragile.invalid')
})

test('a run that is not waited for comes back at once, and is cancelled', async () => {
  const { ctx, args } = await scene(['192.0.2.0/24'], {
    window: `${(new Date().getUTCDay() + 3) % 7} 10:00-11:00`,
  })
  const started = await run<DiscoveryRun>(ctx, 'discovery start', { args })
  const { id } = started.json
  expect(started).toMatchObject({
    json: { status: 'pending', share: 0 },
    text: `${id}  nightly  pending: 0 % `,
  })
  const cancelled = await run<DiscoveryRun>(ctx, 'discovery cancel', { args: { id } })
  expect(cancelled.json).toMatchObject({ id, status: 'cancelled' })
  expect(cancelled.text).toBe(`${id}  nightly  cancelled: cancelled`)
})

test('scan now takes assets or a condition, and says what is left out', async () => {
  const { ctx } = await scene(['127.77.8.8/31'])
  const seen = (name: string, ip: string) => ({
    sourceKey: name,
    seenAt: new Date(),
    name,
    identifiers: [{ type: 'ip' as const, value: ip }],
  })
  const observed = [seen('a', '127.77.8.8'), seen('b', '127.77.8.9'), seen('c', '203.0.113.9')]
  await submit(ctx, { kind: 'csv', name: 'list' }, observed)
  const { items } = await listAssets(ctx, { limit: 9, offset: 0 })
  const idOf = (name: string) => items.find((it) => it.name === name)?.id ?? ''
  interface Scanned {
    readonly run: DiscoveryRun
    readonly left_out: unknown
  }
  const now = (options: NonNullable<Call['options']>) => run<Scanned>(ctx, 'scan now', { options })
  const { json, text } = await now({ where: 'name in (a, c)' })
  expect(json).toMatchObject({ run: { name: 'a', cause: 'scan_now', entries: ['127.77.8.8'], share: 0 } })
  const why = 'no scan target names 203.0.113.9 (c)'
  expect(json.left_out).toEqual([{ assetId: idOf('c'), why }])
  expect(text).toBe(`${json.run.id}  a  pending: 0 % \nLeft out: ${why}`)
  const both = await now({ asset: `${idOf('a')}\n${idOf('b')}`, wait: true })
  expect(both.json).toMatchObject({
    run: { name: 'a and 1 more', status: 'completed', entries: ['127.77.8.8-127.77.8.9'] },
    left_out: [],
  })
  await expect(now({ asset: idOf('a'), where: 'name = a' })).rejects.toThrow('give either assetIds or where')
})

test('whoever knows an id need not say the tenant', async () => {
  const { ctx, args } = await scene(['192.0.2.0/30'])
  const { system } = home().runtime
  const { json } = await run(ctx, 'discovery start', { args })
  await run(ctx, 'discovery cancel', { args: { id: json.id } })
  const tenantOf = (path: string, input: Call) =>
    commandOf(path).tenantOf?.(system, { args: {}, options: {}, ...input })
  for (const path of ['update', 'delete', 'start', 'runs'])
    expect(await tenantOf(`discovery ${path}`, { args })).toBe(ctx.tenantId)
  for (const path of ['hosts', 'cancel'])
    expect(await tenantOf(`discovery ${path}`, { args: { id: json.id } })).toBe(ctx.tenantId)
  expect(await tenantOf('discovery runs', {})).toBeUndefined()
  expect(await tenantOf('scan now', { options: { where: 'name = a' } })).toBeUndefined()
  for (const id of [NOWHERE, 'nightly'])
    await expect(tenantOf('discovery start', { args: { id } })).rejects.toMatchObject({ status: 404 })
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    { sourceKey: 'a', seenAt: new Date(), name: 'a', identifiers: [{ type: 'ip', value: '192.0.2.1' }] },
  ])
  const [asset] = (await listAssets(ctx, { limit: 1, offset: 0 })).items
  const options = { asset: `${asset?.id}\n${NOWHERE}` }
  expect(await tenantOf('scan now', { options })).toBe(ctx.tenantId)
})
