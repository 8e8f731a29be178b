import { expect, onTestFinished, test } from 'vitest'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { jobs } from './jobs.ts'

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
