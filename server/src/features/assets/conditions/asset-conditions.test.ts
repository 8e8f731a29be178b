import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listAssets } from '../assets.ts'
import { mergeAssets } from '../editing/merge-and-unlink.ts'
import { csv, seen } from '../observations.fixture.ts'
import { enqueueBacklogJobs, recogniseBacklog } from '../recognition/recognition-backlog.ts'
import { tenantsWithBacklog } from '../recognition/recognition-backlog-store.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await submit(ctx, csv, [
    seen(
      '1',
      { hostname: 'web-1', ip: '10.0.0.5', mac: '3C2A.F402.345F' },
      {
        os: 'Debian GNU/Linux 12 (bookworm)',
        tags: ['b', 'Straße'],
        facts: {
          openPorts: [22, 443],
          askedPorts: [22, 23, 443],
          memoryBytes: 8 * 2 ** 30,
          disks: [{ bytes: 2 ** 30 }, { sizeBytes: 2 ** 30 }],
          bootedAt: '2026-01-01T00:00:00Z',
          services: ['sshd', 'Nginx'],
          cpuCount: 4,
        },
      },
    ),
    seen('2', {}, { name: 'Zoë', assetType: 'user', minute: 1 }),
    seen(
      '3',
      { hostname: 'win-3', ip: '192.168.4.7', serial: 'XJ-90812' },
      { os: 'Microsoft Windows  Server 2019 Standard' },
    ),
  ])
})

test.each([
  ['os:windows', ['win-3']],
  ['os_family = linux and os_name = debian and os_version = 12', ['web-1']],
  ['os_name = "windows server" os_version = 2019', ['win-3']],
  ['os = "microsoft windows server 2019 standard"', ['win-3']],
  ['name = zoë', ['Zoë']],
  ['not has serial', ['Zoë', 'web-1']],
  ['has serial', ['win-3']],
  ['ip=10.0.0.0/8', ['web-1']],
  ['ip in (10.0.0.5, 192.168.0.0/16)', ['win-3', 'web-1']],
  ['not ip=10.0.0.0/8', ['win-3']],
  ['mac = 3c:2a:f4:02:34:5f', ['web-1']],
  ['mac:f4:02', ['web-1']],
  ['tag = STRASSE or tag = "straße"', ['web-1']],
  ['no_such', []],
  ['type = user', ['Zoë']],
  ['asset_type != user', ['win-3', 'web-1']],
  ['port = 443', ['web-1']],
  ['not port = 23', ['web-1']],
  ['service = nginx', ['web-1']],
  ['memory >= 8 disk_gb = 2 cpus < 5', ['web-1']],
  ['booted < 2026-01-02', ['web-1']],
  ['source_kind = csv', ['win-3', 'Zoë', 'web-1']],
  ['web-1', ['web-1']],
  ['"10.0.0.0/24"', ['web-1']],
  ['345f', []],
  ['3c2af402', ['web-1']],
  ['seen < -30d', ['win-3', 'Zoë', 'web-1']],
  ['seen > -30d', []],
])('%s', async (where, names) => {
  const { items, total } = await listAssets(ctx, { limit: 50, offset: 0 }, { where })
  expect(items.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(total).toBe(names.length)
})

test('rows of an earlier generation are unknown until the job has written them', async () => {
  const old = await home().newTenant()
  await submit(old, csv, [seen('1', { hostname: 'old-1' }, { os: 'Debian 12' })])
  await old.db.run(sql`
    update assets set facets_generation = 0, normalized_os = null, os_family = null where tenant_id = ${old.tenantId}`)
  const found = async () =>
    (await listAssets(old, { limit: 1, offset: 0 }, { where: 'os_family = linux' })).total
  expect(await found()).toBe(0)
  await enqueueBacklogJobs(home().runtime.system)
  await recogniseBacklog(old)
  expect(await found()).toBe(1)
  expect(await tenantsWithBacklog(home().runtime.system)).not.toContain(old.tenantId)
})

test('merged assets have the facets of all observations', async () => {
  const merging = await home().newTenant()
  await submit(merging, csv, [
    seen('1', { hostname: 'one' }, { facts: { openPorts: [22] } }),
    seen('2', { hostname: 'two' }, { facts: { openPorts: [443] } }),
  ])
  const { items } = await listAssets(merging, { limit: 2, offset: 0 })
  const [assetIdA = '', assetIdB = ''] = items.map(({ id }) => id)
  await mergeAssets(merging, { assetIdA, assetIdB, reason: '' })
  expect(
    (await listAssets(merging, { limit: 2, offset: 0 }, { where: 'port = 22 and port = 443' })).total,
  ).toBe(1)
})
