import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf } from '#test/support/http/graphql-client.ts'
import { listSoftware, systemKey } from './software.ts'

const PAGE = { limit: 50, offset: 0 }
const shared = sharedTestApp({ contextOf: believed })

test('the assets that have one software, or run one system; of another tenant nothing', async () => {
  const [ctx, other] = [await shared().newTenant(), await shared().newTenant()]
  const release = { id: 'debian', versionId: '12', prettyName: 'Debian GNU/Linux 12 (bookworm)' }
  const curl = { origin: 'dpkg' as const, name: 'curl', version: '7.88.1-10' }
  const report = (key: string) =>
    seen(
      key,
      { serial: `SN-${key}`, hostname: `${key}.example` },
      {
        software: { release, complete: ['dpkg'], items: [curl] },
      },
    )
  await submit(ctx, agent, [report('b'), report('a')])
  const id = (await listSoftware(ctx, PAGE)).items[0]?.id
  const question =
    'query ($id: ID!, $first: Int!) { softwareHolders(id: $id, first: $first) { total items { name } } }'
  const told = async (tenant: typeof ctx, key: unknown, first = 50) => {
    const ask = asker(shared().as(), headersOf(tenant))
    const { data } = await ask<{ softwareHolders: { total: number; items: { name: string }[] } }>(question, {
      id: String(key),
      first,
    })
    return [data?.softwareHolders.total, ...(data?.softwareHolders.items.map(({ name }) => name) ?? [])]
  }
  expect(await told(ctx, id)).toEqual([2, 'a.example', 'b.example'])
  expect(await told(ctx, id, 1)).toEqual([2, 'a.example'])
  expect(await told(ctx, systemKey(release))).toEqual([2, 'a.example', 'b.example'])
  for (const key of [id, systemKey(release)]) expect(await told(other, key)).toEqual([0])
  for (const key of ['', 'x', '-1', '99999999999', 'system', 'system %zz', 'system %00 1 2'])
    expect(await told(ctx, key)).toEqual([0])
})

test('people see what is installed, on which asset, for whom, and what changed', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const chrome = { origin: 'windows' as const, name: 'Google Chrome', vendor: 'Google LLC', user: 'ada' }
  for (const [minute, version] of ['126.0.1', '127.0.2'].entries()) {
    const items = [{ ...chrome, version, installedAt: new Date('2026-01-02T00:00:00Z') }]
    await submit(ctx, agent, [
      seen('a', { serial: 'SN' }, { minute, software: { complete: ['windows'], items } }),
    ])
  }
  const list = await ask(
    '{ software(filter: { search: "chrome" }) { total items { name version assets vendorKey productKey } } }',
  )
  expect(list.data).toEqual({
    software: {
      total: 1,
      items: [
        { name: 'Google Chrome', version: '127.0.2', assets: 1, vendorKey: 'google', productKey: 'chrome' },
      ],
    },
  })
  const id = (await listAssets(ctx, { limit: 1, offset: 0 })).items[0]?.id
  const one = await ask(
    `query ($id: ID!) {
      assetSoftware(assetId: $id) { total items { version users installedAt } }
      assetSoftwareChanges(assetId: $id) { total items { kind name formerVersion version } }
    }`,
    { id },
  )
  expect(one.data).toEqual({
    assetSoftware: {
      total: 1,
      items: [{ version: '127.0.2', users: ['ada'], installedAt: '2026-01-02T00:00:00.000Z' }],
    },
    assetSoftwareChanges: {
      total: 1,
      items: [{ kind: 'changed', name: 'Google Chrome', formerVersion: '126.0.1', version: '127.0.2' }],
    },
  })
})

test('what is forbidden and allowed is entered, counted, listed and taken away', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const chrome = { origin: 'windows' as const, name: 'Google Chrome', vendor: 'Google LLC', version: '1' }
  await submit(ctx, agent, [
    seen('a', { serial: 'SN' }, { software: { complete: ['windows'], items: [chrome] } }),
  ])
  const add = (args: string) => ask(`mutation { addSoftwareListEntry(${args}) }`)
  expect((await add('list: forbidden, name: "google*", reason: "r"')).data).toEqual({
    addSoftwareListEntry: true,
  })
  expect((await add('list: allowed, vendor: "Mozilla"')).data).toEqual({ addSoftwareListEntry: true })
  expect((await add('list: allowed')).errors).toBeDefined()
  const entries = async (args = '') =>
    (await ask(`{ softwareListEntries${args} { total items { list name vendor reason software } } }`)).data
  const [forbidden, allowed] = [
    { list: 'forbidden', name: 'google*', vendor: '', reason: 'r', software: 1 },
    { list: 'allowed', name: '', vendor: 'Mozilla', reason: '', software: 0 },
  ]
  expect(await entries()).toEqual({ softwareListEntries: { total: 2, items: [forbidden, allowed] } })
  expect(await entries('(list: allowed)')).toEqual({ softwareListEntries: { total: 1, items: [allowed] } })
  const removed = await ask(
    'mutation { removeSoftwareListEntry(list: forbidden, name: "google*", vendor: "") }',
  )
  expect(removed.data).toEqual({ removeSoftwareListEntry: true })
  expect(await entries()).toEqual({ softwareListEntries: { total: 1, items: [allowed] } })
})
