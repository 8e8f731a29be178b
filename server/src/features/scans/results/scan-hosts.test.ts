import { expect, test } from 'vitest'
import type { Json, Observation } from '#features/assets/observation.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'
import type { Probe } from '../probes/probe.ts'
import { runScan } from '../running/run-scan.ts'
import { add } from './result-store.ts'
import { listResults } from './results.ts'
import { createScan, createTarget } from '../scans.ts'

const shared = sharedTestApp({ contextOf: believed })

const HOSTS = `query ($id: ID!, $first: Int! = 50, $offset: Int! = 0) {
  scanHosts(scanId: $id, first: $first, offset: $offset) {
    total
    items {
      host assetId assetName assetType change changedFields comparedScanId
      ports { protocol port service } openedPorts { port } closedPorts { port }
    }
  }
}`

interface Host {
  readonly host: string
  readonly assetId: string | null
}
interface Answer {
  readonly scanHosts: { readonly total: number; readonly items: readonly Host[] }
}

const seen = (host: string, facts: Record<string, Json>, more: Partial<Observation> = {}): Observation => ({
  sourceKey: `${host}|`,
  seenAt: new Date(),
  identifiers: [{ type: 'ip', value: host }],
  facts,
  ...more,
})

/** A tenant whose only target is swept by a probe that yields what it is given. */
async function scene(permissions?: readonly string[]) {
  const ctx = await shared().newTenant()
  const target = await createTarget(ctx, { name: 'office', cidr: '192.0.2.0/24' })
  const ask: Ask = asker(shared().as(), headersOf(ctx, permissions ?? 'all'))
  const sweep = async (...observations: readonly Observation[]): Promise<string> => {
    const { id } = await createScan(ctx, { type: 'sweep', targetId: target.id })
    await run(ctx, id, observations)
    return id
  }
  const hosts = async (id: string, page: object = {}) =>
    (await ask<Answer>(HOSTS, { id, ...page })).data?.scanHosts
  return { ctx, ask, sweep, hosts }
}

async function run(ctx: Ctx, scanId: string, observations: readonly Observation[]): Promise<void> {
  const probe: Probe = {
    type: 'sweep',
    title: 'Network sweep',
    accepts: () => true,
    async *run() {
      yield* observations
    },
  }
  await runScan(ctx, { scanId }, new AbortController().signal, { shelf: [probe] })
}

test('a host leads to its asset, and lists its open ports by number and service', async () => {
  const { sweep, hosts, ask } = await scene()
  const id = await sweep(seen('192.0.2.7', { openPorts: [22, 443] }, { name: 'srv' }))
  const [host] = (await hosts(id))?.items ?? []
  expect(host).toMatchObject({
    host: '192.0.2.7',
    assetId: expect.any(String),
    assetName: 'srv',
    change: 'new_asset',
    comparedScanId: null,
    ports: [
      { protocol: 'tcp', port: 22, service: 'ssh' },
      { protocol: 'tcp', port: 443, service: 'https' },
    ],
  })
  const asset = await ask('query ($id: ID!) { asset(id: $id) { name } }', { id: host?.assetId })
  expect(asset.data).toEqual({ asset: { name: 'srv' } })
})

test('hosts are compared with the scan before: unchanged, changed, appeared', async () => {
  const { sweep, hosts } = await scene()
  const before = await sweep(
    seen('192.0.2.1', { openPorts: [22] }),
    seen('192.0.2.2', { openPorts: [22, 23] }, { name: 'switch' }),
    seen('192.0.2.3', { openPorts: [80] }),
  )
  await sweep(seen('192.0.2.9', {})).then((id) => expect(id).not.toBe(before))
  const again = await sweep(
    seen('192.0.2.1', { openPorts: [22] }),
    seen('192.0.2.9', { openPorts: [80] }),
    seen('192.0.2.2', { openPorts: [22] }),
  )
  expect((await hosts(again))?.items).toMatchObject([
    { host: '192.0.2.1', change: 'appeared' },
    { host: '192.0.2.9', change: 'unchanged' },
    { host: '192.0.2.2', change: 'appeared' },
  ])
  const last = await sweep(
    seen('192.0.2.1', { openPorts: [22] }),
    seen('192.0.2.9', { openPorts: [80] }),
    seen('192.0.2.2', { openPorts: [22, 3389] }, { os: 'Windows' }),
  )
  expect((await hosts(last))?.items).toMatchObject([
    { host: '192.0.2.1', change: 'unchanged', comparedScanId: again, openedPorts: [], closedPorts: [] },
    { host: '192.0.2.9', change: 'unchanged' },
    { host: '192.0.2.2', change: 'changed', openedPorts: [{ port: 3389 }], changedFields: ['os'] },
  ])
  const closed = await sweep(seen('192.0.2.2', { openPorts: [22] }, { os: 'Windows' }))
  expect((await hosts(closed))?.items).toMatchObject([
    { change: 'changed', openedPorts: [], closedPorts: [{ port: 3389 }], changedFields: [] },
  ])
})

test('hosts come page by page, and a page beyond the end still has the total', async () => {
  const { sweep, hosts } = await scene()
  const id = await sweep(...[1, 2, 3].map((at) => seen(`192.0.2.${at}`, {})))
  expect(await hosts(id, { first: 2, offset: 1 })).toMatchObject({
    total: 3,
    items: [{ host: '192.0.2.2', ports: null }, { host: '192.0.2.3' }],
  })
  expect(await hosts(id, { first: 2, offset: 9 })).toEqual({ total: 3, items: [] })
})

test('results come in the order in which they were found, whatever the length of their numbers', async () => {
  const { ctx, sweep, hosts } = await scene()
  const id = await sweep()
  // the numbers go on from those of other tests: among so many one more digit is needed
  const names = Array.from({ length: 1_000 }, (_, at) => `host-${at}`)
  await add(
    ctx,
    id,
    names.map((host) => ({ host, name: host, read: null, isCut: false, raw: [] })),
  )
  const { items } = await listResults(ctx, id, { limit: 1_000, offset: 0 })
  expect(items.map(({ host }) => host)).toEqual(names)
  expect((await hosts(id, { first: 500, offset: 500 }))?.items.map(({ host }) => host)).toEqual(
    names.slice(500),
  )
})

test('without the permission to see assets a host leads to none; another tenant’s scan is not found', async () => {
  const { sweep, hosts } = await scene(['scans:read'])
  const id = await sweep(seen('192.0.2.7', {}))
  expect((await hosts(id))?.items).toMatchObject([{ host: '192.0.2.7', assetId: null, assetName: null }])
  const other = await scene()
  for (const wrong of [id, 'x']) {
    const { errors } = await other.ask(HOSTS, { id: wrong })
    expect(errors?.[0]?.extensions.code).toBe('not_found')
  }
})
