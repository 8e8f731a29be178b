import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { deleteAssets, listAssets } from '#features/assets/assets.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import type { Observation } from '#features/assets/observation.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import type { Probe, ProbeOptions } from '../probes/probe.ts'
import { runScan } from '../running/run-scan.ts'
import { createScan, createTarget, getScan } from '../scans.ts'
import { exportTouches, listTouches, removeOldTouches } from './touches.ts'

const ALL = { limit: 100, offset: 0 }
const [ONE, TWO, SILENT] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

const seen = (address: string): Observation => ({
  sourceKey: address,
  seenAt: new Date(),
  name: `host-${address}`,
  identifiers: [{ type: 'ip', value: address }],
})

async function scene() {
  const { newTenant, runtime } = await testApp()
  const ctx = await newTenant()
  const target = await createTarget(ctx, { name: 'it', cidr: '192.0.2.0/29' })
  /** A sweep whose probe counts and reports as it is told. */
  const scan = async (work: (options: ProbeOptions) => AsyncGenerator<Observation>) => {
    const probe: Probe = {
      type: 'sweep',
      title: 'Sweep',
      accepts: () => true,
      run: (_, options) => work(options),
    }
    const { id } = await createScan(ctx, { type: 'sweep', targetId: target.id })
    await runScan(ctx, { scanId: id }, new AbortController().signal, { shelf: [probe] }).catch(
      () => undefined,
    )
    return getScan(ctx, id)
  }
  return { ctx, system: runtime.system, scan }
}

const items = async (ctx: Ctx, query = {}) => (await listTouches(ctx, query, ALL)).items

async function twoHosts() {
  const { scan, ...rest } = await scene()
  const { id } = await scan(async function* ({ touches }) {
    touches?.count(ONE, { packets: 30, probes: 12 })
    touches?.count(TWO, { packets: 20, probes: 11 })
    yield seen(ONE)
    yield seen(TWO)
    touches?.hold(SILENT)
    touches?.count(SILENT, { packets: 9, probes: 9 })
    touches?.drop(SILENT)
    touches?.count(ONE, { packets: 3, logins: 1 })
  })
  const { items: assets } = await listAssets(rest.ctx, ALL)
  const idOf = (address: string) => assets.find(({ ipAddress }) => ipAddress === address)?.id ?? ''
  return { ...rest, scan, scanId: id, one: idOf(ONE), two: idOf(TWO) }
}

test('what a scan did is added up for each device, with its asset and its reason', async () => {
  const { ctx, scanId, one } = await twoHosts()
  expect(await items(ctx, { assetId: one })).toEqual([
    {
      scanId,
      scanType: 'sweep',
      address: ONE,
      assetId: one,
      beganAt: expect.anything(),
      seconds: expect.any(Number),
      packets: 33,
      probes: 12,
      logins: 1,
      isEstimated: false,
      cause: 'scan',
      run: null,
      startedBy: expect.any(String),
    },
  ])
  expect((await items(ctx)).map(({ address }) => address).toSorted()).toEqual([ONE, TWO])
  expect(await items(ctx, { address: TWO })).toMatchObject([{ packets: 20 }])
})

test('counts stay when the scan fails, and a scan that takes in nothing has the asset of the hour', async () => {
  const { ctx, scan, two } = await twoHosts()
  const failed = await scan(async function* ({ touches }) {
    touches?.count(TWO, { packets: 5, probes: 1 })
    yield* []
    throw new Error('out of memory')
  })
  const touches = await items(ctx, { assetId: two })
  expect(touches.find(({ scanId }) => scanId === failed.id)).toMatchObject({ packets: 5 })
})

test('of merged assets the touches are those of the survivor, of a deleted one of its address alone', async () => {
  const { ctx, one, two } = await twoHosts()
  const { id } = await mergeAssets(ctx, { assetIdA: one, assetIdB: two, reason: 'the same' })
  expect(await items(ctx, { assetId: id })).toHaveLength(2)
  await atomically(ctx, (inner) => deleteAssets(inner, [id]))
  expect(await items(ctx, { assetId: id })).toEqual([])
  expect(await items(ctx, { address: ONE })).toMatchObject([{ assetId: null, packets: 33 }])
})

test('the file has the same rows', async () => {
  const { ctx, scanId, one } = await twoHosts()
  const { file } = await exportTouches(ctx, { assetId: one })
  const content = file?.content
  const [head, row, ...rest] = typeof content === 'string' ? content.split('\r\n') : []
  expect(head).toBe(
    'began_at,address,asset_id,packets,is_estimated,probes,logins,seconds,scan_type,scan_id,cause,run,run_id,started_by',
  )
  expect(row).toMatch(new RegExp(`^[^,]+,${ONE},${one},33,false,12,1,[\\d.e-]+,sweep,${scanId},scan,,,`))
  expect(rest).toEqual([''])
})

test.each([
  ['assetId', { assetId: 'x' }],
  ['address', { address: '10.0.0' }],
])('a bad %s is refused by name', async (field, query) => {
  const { ctx } = await scene()
  await expect(listTouches(ctx, query, ALL)).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('rows older than 400 days are removed', async () => {
  const { ctx, system } = await twoHosts()
  await ctx.db.run(sql`
    update device_touches set began_at = now() - interval '401 days'
    where tenant_id = ${ctx.tenantId} and address = ${ONE}::inet`)
  await removeOldTouches(system)
  expect((await items(ctx)).map(({ address }) => address)).toEqual([TWO])
})
