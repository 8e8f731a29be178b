import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { AZURE_SECRET, azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf, type AskField } from '#test/support/http/graphql-client.ts'
import { getConnection } from './cloud.ts'
import { connectAndRead, work } from './cloud.fixture.ts'
import type { CloudConnection } from './connection.ts'
import { switchCosts } from './costs/costs.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: AskField
let azure: CloudConnection

async function person(): Promise<[Ctx, AskField]> {
  const of = await shared().newTenant()
  return [of, fieldAsker(asker(shared().as(), headersOf(of)))]
}

const costRows = [
  [10.5, '/subscriptions/x/disk-1', 'EUR'],
  [2, '', 'EUR'],
]

beforeAll(async () => {
  ;[ctx, ask] = await person()
})

/** The first test that needs it reads it; its server goes with that test. */
async function readAzure(): Promise<CloudConnection> {
  const there = await startAzure(2)
  there.fault = ({ url }) =>
    url.pathname.endsWith('/Microsoft.CostManagement/query')
      ? {
          body: {
            properties: {
              nextLink: null,
              columns: ['Cost', 'ResourceId', 'Currency'].map((name) => ({ name })),
              rows: costRows,
            },
          },
        }
      : undefined
  const made = await connectAndRead(ctx, {
    provider: 'Azure',
    signIn: 'client_secret',
    values: azureValues(there),
    name: 'Directory',
  })
  await switchCosts(ctx, made.id, { isOn: true })
  await work(ctx)
  return made
}

test('connections, resources, their coverage and costs are read; no answer holds a secret', async () => {
  azure = await readAzure()
  const answers: unknown[] = []
  const told = async <T>(text: string, variables: Record<string, unknown> = {}) => {
    const answer = await ask<T>(text, variables)
    answers.push(answer)
    return answer
  }
  const [connection, ...others] = await told<Record<string, unknown>[]>(
    `{ cloudConnections { id provider name signIn settings { name value } isEnabled readsCosts problem plannedAt externalId
      resources scopes completeScopes pendingScopes } }`,
  )
  expect(others).toEqual([])
  expect(connection).toMatchObject({
    id: azure.id,
    provider: 'Azure',
    name: 'Directory',
    signIn: 'client_secret',
    settings: expect.arrayContaining([{ name: 'directory', value: azure.settings['directory'] }]),
    isEnabled: true,
    readsCosts: true,
    problem: '',
    externalId: expect.stringMatching(/^rollcall-/),
    pendingScopes: 0,
  })
  expect(Number(connection?.['resources'])).toBeGreaterThan(8)
  expect(Number(connection?.['completeScopes'])).toBeGreaterThan(4)
  expect(Number(connection?.['scopes'])).toBeGreaterThan(Number(connection?.['completeScopes']))

  const list = `query ($provider: CloudProvider, $type: CloudResourceType, $region: String, $connectionId: ID, $search: String, $where: String, $sort: String, $first: Int! = 50) {
    cloudResources(provider: $provider, type: $type, region: $region, connectionId: $connectionId, search: $search, where: $where, sort: $sort, first: $first) { total items {
      id provider name type region place carbon { year } status account nativeId connectionId connectionName tags facts assetId costs { amount } } } }`
  type Resources = { total: number; items: { name: string; id: string }[] }
  const narrowed = async (args: Record<string, unknown>) =>
    (await told<Resources>(list, args)).items.map(({ name }) => name)
  const [machine] = (await told<Resources>(list, { search: 'VM0' })).items
  expect(machine).toMatchObject({
    provider: 'Azure',
    name: 'vm0',
    type: 'compute',
    region: 'northeurope',
    place: expect.stringContaining('Ireland'),
    status: 'running',
    nativeId: expect.stringContaining('/vm0'),
    connectionId: azure.id,
    connectionName: 'Directory',
    tags: ['env:prod'],
    assetId: expect.any(String),
    costs: [],
  })
  const cases: readonly [Record<string, unknown>, readonly string[]][] = [
    [{ type: 'compute', search: 'vm' }, ['vm0', 'vm1', 'vmss1000000']],
    [{ type: 'compute', sort: '-name', search: 'vm', first: 1 }, ['vmss1000000']],
    [{ where: 'name = vm1' }, ['vm1']],
    [{ search: 'vm1', region: 'northeurope' }, ['vm1']],
    [{ search: 'vm1', region: 'elsewhere' }, []],
    [{ search: 'vm1', provider: 'AWS' }, []],
    [{ search: 'vm1', provider: 'Azure', connectionId: azure.id }, ['vm1']],
    [{ search: 'vm1', connectionId: randomUUID() }, []],
  ]
  const found: (readonly string[])[] = []
  for (const [args] of cases) found.push(await narrowed(args))
  expect(found).toEqual(cases.map(([, names]) => names))
  await expect(ask(list, { connectionId: 'x' })).rejects.toThrow('not_found')
  await expect(ask(list, { search: 'x'.repeat(201) })).rejects.toThrow('invalid_request search: ')

  const [worst, ...rest] = (
    await told<{ items: { status: string; accountName: string; reason: string }[] }>(
      `query ($id: ID!) { cloudCoverage(connectionId: $id) { total items {
        id account accountName region type status reason resources finishedAt completedAt retiredAt } } }`,
      { id: azure.id },
    )
  ).items
  expect(worst).toMatchObject({
    accountName: 'forbidden',
    status: 'failed',
    reason: expect.stringContaining('no access'),
    completedAt: null,
    retiredAt: null,
  })
  expect(rest.at(-1)).toMatchObject({ status: 'complete', completedAt: expect.any(String) })

  const costs = await told<{ accountName: string; amount: string }[]>(
    `query ($id: ID) { cloudCosts(connectionId: $id) { provider accountName month amount currency ofResources knownFrom knownUntil isWhole } }`,
  )
  expect(costs[0]).toMatchObject({
    provider: 'Azure',
    month: new Date().toISOString().slice(0, 7),
    amount: '12.50',
    currency: 'EUR',
    ofResources: '0.00',
  })
  const ofConnection = 'query ($id: ID) { cloudCosts(connectionId: $id) { amount } }'
  expect(await told(ofConnection, { id: azure.id })).toHaveLength(costs.length)
  expect(await told(ofConnection, { id: randomUUID() })).toEqual([])
  const accounts =
    'query ($id: ID!) { cloudCostAccounts(connectionId: $id) { accountName status reason completedAt } }'
  expect(await told(accounts, { id: azure.id })).toEqual(
    expect.arrayContaining([
      { accountName: 'production', status: 'complete', reason: '', completedAt: expect.any(String) },
    ]),
  )
  await expect(ask(accounts, { id: randomUUID() })).rejects.toThrow('not_found')
  expect(JSON.stringify(answers)).not.toContain(AZURE_SECRET)
})

test('a connection is described, tested, made, changed, read anew and deleted', async () => {
  const [of, asked] = await person()
  const providers = await asked<Record<string, unknown>[]>(
    `{ cloudProviders { provider costNote needsCostTable connectionId externalId issuer subject fields { name label help isSecret isRequired isLong }
      signIns { name label warning hides fields { name label isSecret isRequired isLong } instructions { title text } } } }`,
  )
  const described = providers.find(({ provider }) => provider === 'Azure')
  expect(described).toMatchObject({
    needsCostTable: false,
    costNote: expect.any(String),
    subject: `tenant:${of.tenantId}:connection:${String(described?.['connectionId'])}`,
    fields: expect.arrayContaining([
      expect.objectContaining({ name: 'loginAddress', isSecret: false, isRequired: false }),
    ]),
    signIns: expect.arrayContaining([
      expect.objectContaining({
        name: 'client_secret',
        warning: '',
        fields: expect.arrayContaining([
          expect.objectContaining({ name: 'clientSecret', isSecret: true, isRequired: true }),
        ]),
      }),
      expect.objectContaining({
        name: 'federated',
        warning: expect.stringContaining('is not a public address'),
      }),
    ]),
  })
  expect(providers.find(({ provider }) => provider === 'GCP')).toMatchObject({ needsCostTable: true })
  expect(providers.find(({ provider }) => provider === 'Kubernetes')).toMatchObject({
    costNote: '',
    needsCostTable: false,
  })

  const there = await startAzure(1)
  const values = (secret: string) =>
    Object.entries({ ...azureValues(there), clientSecret: secret }).map(([name, value]) => ({ name, value }))
  const INPUT = 'provider: Azure, signIn: "client_secret", values: $values, connectionId: $connectionId'
  const check = `mutation ($values: [CloudValue!]!, $connectionId: ID) { testCloudConnection(${INPUT}) { account what isAllowed isRefused message } }`
  const connect = `mutation ($values: [CloudValue!]!, $connectionId: ID, $isTested: Boolean) {
    connectCloud(name: "Directory", isTested: $isTested, ${INPUT}) { id name isEnabled readsCosts } }`
  const refused = { account: '', what: 'accounts', isAllowed: false, isRefused: true }
  expect(await asked(check, { values: values('wrong') })).toEqual([
    { ...refused, message: expect.stringContaining('Invalid client secret') },
  ])
  const checks = await asked(check, { values: values(AZURE_SECRET) })
  expect(checks).toEqual(
    expect.arrayContaining([
      { account: '', what: 'accounts', isAllowed: true, isRefused: false, message: '' },
      { account: '', what: 'compute', isAllowed: true, isRefused: false, message: '' },
      expect.objectContaining({ account: 'forbidden', what: 'account', isAllowed: false, isRefused: false }),
    ]),
  )
  for (const isTested of [undefined, false])
    await expect(asked(connect, { values: values('wrong'), isTested })).rejects.toThrow(
      /^invalid_request values: .*Invalid client secret/,
    )
  const connectionId = String(described?.['connectionId'])
  const made = await asked(connect, { values: values(AZURE_SECRET), connectionId })
  expect(made).toEqual({ id: connectionId, name: 'Directory', isEnabled: true, readsCosts: false })
  await expect(asked(connect, { values: values('x'), connectionId, isTested: true })).rejects.toThrow(
    'conflict',
  )
  await expect(asked(connect, { values: values('x'), connectionId: 'x', isTested: true })).rejects.toThrow(
    'invalid_request connectionId: ',
  )

  const id = connectionId
  const update = `mutation ($id: ID!, $name: String, $isEnabled: Boolean, $secrets: [CloudValue!]) {
    updateCloudConnection(id: $id, name: $name, isEnabled: $isEnabled, secrets: $secrets) { name isEnabled } }`
  const sync = 'mutation ($id: ID!) { syncCloudConnection(id: $id) { id name } }'
  expect(await asked(update, { id, name: 'Second' })).toEqual({ name: 'Second', isEnabled: true })
  expect(await asked(sync, { id })).toEqual({ id, name: 'Second' })
  expect(await asked(update, { id, isEnabled: false })).toEqual({ name: 'Second', isEnabled: false })
  await expect(asked(sync, { id })).rejects.toThrow('invalid_request id: ')
  await work(of)
  const broken = [{ name: 'clientSecret', value: 'wrong' }]
  expect(await asked(update, { id, isEnabled: true, secrets: broken })).toMatchObject({ isEnabled: true })
  await work(of)
  expect((await getConnection(of, id)).problem).toContain('Invalid client secret')

  const costs =
    'mutation ($id: ID!, $isOn: Boolean!, $table: String) { switchCloudCosts(id: $id, isOn: $isOn, table: $table) { readsCosts } }'
  for (const isOn of [true, false]) expect(await asked(costs, { id, isOn })).toEqual({ readsCosts: isOn })
  await expect(asked(costs, { id, isOn: true, table: 't' })).rejects.toThrow('invalid_request table: ')
  expect(await asked('mutation ($id: ID!) { deleteCloudConnection(id: $id) }', { id })).toBe(id)
  expect(await asked('{ cloudConnections { id } }')).toEqual([])
  for (const gone of [update, sync]) await expect(asked(gone, { id })).rejects.toThrow('not_found')
  await expect(asked(costs, { id, isOn: true })).rejects.toThrow('not_found')
})
