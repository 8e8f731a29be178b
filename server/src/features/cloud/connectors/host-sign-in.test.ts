import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openMetadata } from '#platform/egress/metadata.ts'
import { openNet, type Net } from '#platform/egress/net.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { startAws } from '#test/support/cloud-providers/aws-replay.ts'
import { startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { startGoogle } from '#test/support/cloud-providers/google-replay.ts'
import { startReplay, type Replay } from '#test/support/cloud-providers/replay.ts'
import { connectAndRead, work } from '../cloud.fixture.ts'
import { connectCloud, getConnection, listResources, syncConnection } from '../cloud.ts'
import { describeProviders } from '../connection-setup.ts'

const home = sharedTestApp()

/** Of each provider: a replay that answers as the metadata service of its machines too. */
const providers = {
  async AWS() {
    const replay = await startAws(2)
    return {
      replay,
      input: { provider: 'AWS', signIn: 'instance_profile', values: { regions: 'eu-west-1' } },
    }
  },
  async Azure() {
    const replay = await startAzure(2)
    // the next page of subscriptions would be at the address of the replay
    replay.subscriptions.splice(2)
    return { replay, input: { provider: 'Azure', signIn: 'managed_identity', values: {} } }
  },
  async GCP() {
    const replay = await startGoogle(2)
    const values = { scope: 'organizations/1337' }
    return { replay, input: { provider: 'GCP', signIn: 'metadata_server', values } }
  },
}
const names = Object.keys(providers) as (keyof typeof providers)[]

/** A machine of the provider: its metadata service and the public addresses of the provider's APIs lead to the replay. */
function hostAt(replay: Replay) {
  const real = openNet({ allowPrivate: ['127.0.0.0/8'] })
  onTestFinished(() => real.close())
  const isElsewhere = ({ hostname }: URL) => hostname === '127.0.0.1'
  const net: Net = {
    ...real,
    fetch: (url, request) =>
      real.fetch(isElsewhere(url) ? url : new URL(url.pathname + url.search, replay.address), request),
  }
  return testApp({ metadata: openMetadata({}, replay.address), net })
}

test.each(names)('%s: signs in as the machine of this server where the operator allows it', async (name) => {
  const { replay, input } = await providers[name]()
  const ctx = await (await hostAt(replay)).newTenant()
  expect((await connectAndRead(ctx, input)).problem).toBe('')
  const { total } = await listResources(ctx, { limit: 1, offset: 0 }, { type: 'compute' })
  expect(total).toBeGreaterThanOrEqual(2)
  const described = (await describeProviders(ctx)).find(({ provider }) => provider === name)
  expect(described?.signIns[0]?.name).toBe(input.signIn)
})

test.each(names)('%s: without CLOUD_METADATA it is neither offered nor done', async (name) => {
  const ctx = await home().newTenant()
  const { input } = await providers[name]()
  await expect(connectCloud(ctx, { ...input, name: 'c' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('CLOUD_METADATA=true'),
  })
  const described = (await describeProviders(ctx)).find(({ provider }) => provider === name)
  expect(described?.signIns.map((it) => it.name)).not.toContain(input.signIn)
})

test('a machine without an identity is told of as that', async () => {
  const { replay, input } = await providers.Azure()
  replay.fault = ({ url }) =>
    url.pathname.startsWith('/metadata/') ? { status: 400, body: { error: 'invalid_request' } } : undefined
  const ctx = await (await hostAt(replay)).newTenant()
  await expect(connectCloud(ctx, { ...input, name: 'c' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('is an identity attached'),
  })
})

test.each([
  ['AWS', 'apiAddress'],
  ['Azure', 'apiAddress'],
  ['Azure', 'loginAddress'],
  ['GCP', 'apiAddress'],
  ['GCP', 'tokenAddress'],
] as const)(
  '%s: the credentials of the machine never go to the %s that a tenant has chosen',
  async (name, field) => {
    const { replay, input } = await providers[name]()
    const stranger = await startReplay(() => ({ body: {} }))
    const ctx = await (await hostAt(replay)).newTenant()
    const values = { ...input.values, [field]: stranger.address }
    for (const isTested of [false, true])
      await expect(connectCloud(ctx, { ...input, values, name: 'c' }, { isTested })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(`${field}: must be empty`),
      })
    // as an earlier version stored it
    const { id } = await connectAndRead(ctx, input)
    await ctx.db.run(sql`
    update cloud_connections set settings = jsonb_set(settings, array['values', ${field}], to_jsonb(${stranger.address}::text))
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
    await syncConnection(ctx, id)
    await work(ctx)
    expect((await getConnection(ctx, id)).problem).toContain(`${field} must be empty`)
    expect(stranger.calls).toEqual([])
  },
)

test('the addresses of sovereign clouds are the provider’s own', async () => {
  const { replay, input } = await providers.Azure()
  const ctx = await (await hostAt(replay)).newTenant()
  const values = { apiAddress: 'https://management.usgovcloudapi.net/' }
  expect((await connectAndRead(ctx, { ...input, values })).problem).toBe('')
})
