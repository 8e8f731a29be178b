import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import type { Observation } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { awsValues, startAws } from '#test/support/cloud-providers/aws-replay.ts'
import { azureValues, startAzure, vmIdOf } from '#test/support/cloud-providers/azure-replay.ts'
import { googleValues, startGoogle } from '#test/support/cloud-providers/google-replay.ts'
import { connectAndRead, work } from './cloud.fixture.ts'
import { listResourceDetails, listResources, syncConnection } from './cloud.ts'

const home = sharedTestApp()
const PAGE = { limit: 1_000, offset: 0 }

async function readAgain(ctx: Ctx, id: string): Promise<void> {
  await syncConnection(ctx, id)
  await work(ctx)
}

/** A machine of each provider, what identifies it, and the same name made again. */
const machines = {
  async AWS() {
    const replay = await startAws(0)
    const make = (id: string) =>
      (replay.machines = [{ id, name: 'web', ip: '10.1.0.9', mac: '02:00:00:00:00:09' }])
    make('i-0aaaaaaaaaaaaaaaa')
    return {
      input: { provider: 'AWS', signIn: 'access_key', values: awsValues(replay, { regions: 'eu-west-1' }) },
      cloudId: 'aws:i-0aaaaaaaaaaaaaaaa',
      ip: '10.1.0.9',
      remake: () => void make('i-0bbbbbbbbbbbbbbbb'),
    }
  },
  async Azure() {
    const replay = await startAzure(0)
    const make = (vmId: string) =>
      (replay.machines = [{ name: 'web', vmId, ip: '10.0.0.9', mac: '00-0D-3A-1B-C7-21' }])
    make(vmIdOf('first'))
    return {
      input: { provider: 'Azure', signIn: 'client_secret', values: azureValues(replay) },
      cloudId: `azure:${vmIdOf('first')}`,
      ip: '10.0.0.9',
      remake: () => void make(vmIdOf('second')),
    }
  },
  async GCP() {
    const replay = await startGoogle(0)
    const make = (id: string) => (replay.machines = [{ name: 'web', id, ip: '10.9.0.9' }])
    make('9007199254740993')
    return {
      input: { provider: 'GCP', signIn: 'service_account_key', values: googleValues(replay) },
      cloudId: 'gcp:9007199254740993',
      ip: '10.9.0.9',
      remake: () => void make('9007199254740995'),
    }
  },
}
type Name = keyof typeof machines
const names = Object.keys(machines) as Name[]

test('what AWS tells of a machine stands in the inventory: its addresses and system', async () => {
  const ctx = await home().newTenant()
  const { input } = await machines.AWS()
  await connectAndRead(ctx, input)
  const { items } = await listAssets(ctx, PAGE, { where: 'type = virtual_machine' })
  expect(items).toMatchObject([{ name: 'web', os: 'Linux/UNIX' }])
  const identifiers = await ctx.db.all(sql<{ type: string; value: string }>`
    select type, value from asset_identifiers where tenant_id = ${ctx.tenantId}`)
  expect(identifiers.map(({ type, value }) => `${type} ${value}`)).toEqual(
    expect.arrayContaining(['cloud_id aws:i-0aaaaaaaaaaaaaaaa', 'ip 10.1.0.9', 'mac 02:00:00:00:00:09']),
  )
})

/** As an agent, or a scan that logged in, tells of the machine from inside. */
const inside = (
  kind: string,
  cloudId: string,
  ip: string,
): [{ kind: string; name: string }, Observation[]] => [
  { kind, name: kind },
  [
    {
      sourceKey: 'web',
      seenAt: new Date(),
      os: 'Debian GNU/Linux 12',
      identifiers: [
        { type: 'cloud_id', value: cloudId },
        { type: 'hostname', value: 'web' },
        { type: 'machine_id', value: 'c0ffee00c0ffee00c0ffee00c0ffee00' },
        { type: 'ip', value: ip },
      ],
    },
  ],
]

const virtualMachines = async (ctx: Ctx) =>
  (await listAssets(ctx, PAGE, { type: 'virtual_machine' })).items.filter(({ name }) => name === 'web')

test.each(names)('%s: a machine seen by connector, agent and ssh is one asset', async (name) => {
  const ctx = await home().newTenant()
  const { input, cloudId, ip } = await machines[name]()
  await submit(ctx, ...inside('agent', cloudId, ip))
  await connectAndRead(ctx, input)
  await submit(ctx, ...inside('ssh', cloudId, ip))
  const found = await virtualMachines(ctx)
  expect(found).toHaveLength(1)
  const { items } = await listResourceDetails(ctx, PAGE, { type: 'compute', search: 'web' })
  expect(items.map(({ assetId }) => assetId)).toEqual([found[0]?.id])
})

test.each(names)(
  '%s: a machine made again under its name and address is another asset and resource',
  async (name) => {
    const ctx = await home().newTenant()
    const { input, cloudId, ip, remake } = await machines[name]()
    const { id } = await connectAndRead(ctx, input)
    await submit(ctx, ...inside('agent', cloudId, ip))
    const [first] = (await listResourceDetails(ctx, PAGE, { type: 'compute', search: 'web' })).items
    remake()
    await readAgain(ctx, id)
    const { items } = await listResourceDetails(ctx, PAGE, { type: 'compute', search: 'web' })
    expect(items).toHaveLength(1)
    expect(items[0]?.id).not.toBe(first?.id)
    expect(items[0]?.assetId).not.toBe(first?.assetId)
    expect(await virtualMachines(ctx)).toHaveLength(2)
  },
)

test('two networks with the same names and addresses have two machines each', async () => {
  const ctx = await home().newTenant()
  const aws = await startAws(0)
  aws.machines = ['i-0a', 'i-0b'].map((id) => ({ id, name: 'web', ip: '10.1.0.9', mac: '02:00:00:00:00:09' }))
  await connectAndRead(ctx, {
    provider: 'AWS',
    signIn: 'access_key',
    values: awsValues(aws, { regions: 'eu-west-1' }),
  })
  expect(await virtualMachines(ctx)).toHaveLength(2)
})

test('what is terminated or gone leaves the list, its asset stays, and what comes back keeps its id', async () => {
  const ctx = await home().newTenant()
  const aws = await startAws(5)
  const { id } = await connectAndRead(ctx, {
    provider: 'AWS',
    signIn: 'access_key',
    values: awsValues(aws, { regions: 'eu-west-1' }),
  })
  const list = async () => (await listResources(ctx, PAGE, { type: 'compute' })).items
  const before = await list()
  const all = aws.machines
  aws.machines = all.map((it, n) => ({
    ...it,
    state: n < 2 ? 'terminated' : n === 2 ? 'stopped' : 'running',
  }))
  await readAgain(ctx, id)
  expect((await list()).map(({ name, status }) => `${name} ${status}`)).toEqual([
    'ec2-2 stopped',
    'ec2-3 running',
    'ec2-4 running',
  ])
  expect((await listAssets(ctx, PAGE, { type: 'virtual_machine' })).total).toBe(5)
  aws.machines = all
  await readAgain(ctx, id)
  expect(await list()).toEqual(before)
})
