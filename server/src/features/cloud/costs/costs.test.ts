import { expect, test } from 'vitest'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { startAws, awsError, awsValues } from '#test/support/cloud-providers/aws-replay.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { googleValues, startGoogle } from '#test/support/cloud-providers/google-replay.ts'
import type { ReplayAnswer, ReplayCall } from '#test/support/cloud-providers/replay.ts'
import { connectAndRead, work } from '../cloud.fixture.ts'
import { deleteConnection, listResourceDetails } from '../cloud.ts'
import { listCostAccounts, listCosts, runRates, switchCosts } from './costs.ts'

const home = sharedTestApp()
const PAGE = { limit: 100, offset: 0 }
const thisMonth = new Date().toISOString().slice(0, 7)

/** Answers of Cost Management, laid out as in its reference: two pages, the second by the link. */
const costManagement =
  (address: string, rows: readonly (readonly [number, string, string])[]) =>
  ({ url }: ReplayCall): ReplayAnswer | undefined => {
    if (!url.pathname.endsWith('/Microsoft.CostManagement/query')) return undefined
    const isLater = url.searchParams.has('$skiptoken')
    const columns = ['Cost', 'ResourceId', 'Currency'].map((name) => ({ name }))
    const nextLink = isLater ? null : `${address}${url.pathname}?api-version=2025-03-01&$skiptoken=2`
    const at = url.pathname.includes('000000000001') ? rows : []
    const part = isLater ? at.slice(1) : at.slice(0, 1)
    return { body: { properties: { nextLink, columns, rows: part } } }
  }

test('Azure: what resources cost in four months, page by page, to the cent, and what is no resource', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(1)
  const { id } = await connectAndRead(ctx, {
    provider: 'Azure',
    signIn: 'client_secret',
    values: azureValues(azure),
  })
  const { items } = await listResourceDetails(ctx, PAGE, { type: 'compute' })
  const [vm] = items.filter(({ name }) => name === 'vm0')
  azure.fault = costManagement(azure.address, [
    [10.004, String(vm?.nativeId).toUpperCase(), 'EUR'],
    [1.1e-3, '/subscriptions/x/disk-1', 'EUR'],
    [2.5, '', 'EUR'],
  ])
  expect(items.map(({ costs }) => costs)).toEqual([[], []])
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  const after = await listResourceDetails(ctx, PAGE, { type: 'compute' })
  expect(after.items.find(({ name }) => name === 'vm0')?.costs).toMatchObject([
    { month: thisMonth, amount: '10.00', currency: 'EUR' },
    {},
    {},
    {},
  ])
  const months = await listCosts(ctx, id)
  expect(months).toHaveLength(4)
  expect(months[0]).toMatchObject({
    month: thisMonth,
    amount: '12.51',
    ofResources: '10.00',
    accountName: 'production',
    isWhole: months[0]?.knownUntil === months[0]?.knownFrom,
  })
  expect(months[1]).toMatchObject({ isWhole: true })
  expect(await runRates(ctx, { asOf: new Date(), assetIds: undefined })).toMatchObject([
    { amount: '12.51', month: months[1]?.month, isWhole: true },
  ])
  const assetIds = [String(vm?.assetId)]
  expect(await runRates(ctx, { asOf: new Date(), assetIds })).toMatchObject([{ amount: '10.00' }])
  expect(await runRates(ctx, { asOf: new Date(), assetIds: [] })).toEqual([])
})

test('what a resource costs no longer is gone with the next reading of the month; a refused one keeps it', async () => {
  const clock = { now: new Date() }
  const app = await testApp({ now: () => clock.now })
  const ctx = await app.newTenant()
  const azure = await startAzure(1)
  const { id } = await connectAndRead(ctx, {
    provider: 'Azure',
    signIn: 'client_secret',
    values: azureValues(azure),
  })
  const { items } = await listResourceDetails(ctx, PAGE, { type: 'compute' })
  const idOf = (name: string) => String(items.find((it) => it.name === name)?.nativeId)
  azure.fault = costManagement(azure.address, [
    [1, idOf('vm0'), 'EUR'],
    [2, idOf('vmss1000000'), 'EUR'],
  ])
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  const now = async () =>
    (await listResourceDetails(ctx, PAGE, { type: 'compute' })).items.map(
      ({ costs }) => costs.find(({ month }) => month === thisMonth)?.amount ?? null,
    )
  expect(await now()).toEqual(['1.00', '2.00'])
  azure.fault = ({ url }) =>
    url.pathname.includes('CostManagement')
      ? { status: 403, body: { error: { code: 'RBACAccessDenied', message: 'no' } } }
      : undefined
  clock.now = new Date(Date.now() + 1)
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  expect(await now()).toEqual(['1.00', '2.00'])
  const accounts = await listCostAccounts(ctx, id)
  expect(accounts.map(({ status, reason }) => [status, reason.slice(0, 60)])).toEqual(
    accounts.map(() => ['failed', 'Microsoft.CostManagement/query: RBACAccessDenied: no']),
  )
  azure.fault = costManagement(azure.address, [[3, idOf('vm0'), 'EUR']])
  clock.now = new Date(Date.now() + 2)
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  expect(await now()).toEqual(['3.00', null])
})

/** Cost Explorer as its API reference has it: a day each, groups by resource. */
const costExplorer =
  (amount: () => string, resources = true) =>
  ({ headers, body }: ReplayCall): ReplayAnswer | undefined => {
    const action = /^AWSInsightsIndexService\.(\w+)$/.exec(String(headers['x-amz-target'] ?? ''))?.[1]
    if (action === undefined) return undefined
    const { TimePeriod, NextPageToken } = JSON.parse(body) as {
      TimePeriod: { Start: string; End: string }
      NextPageToken?: string
    }
    if (action === 'GetCostAndUsageWithResources' && !resources)
      return { status: 400, body: { __type: 'DataUnavailableException', message: 'not enabled' } }
    const metric = (Amount: string) => ({ UnblendedCost: { Amount, Unit: 'USD' } })
    const last = new Date(Date.parse(TimePeriod.End) - 86_400_000).toISOString().slice(0, 10)
    const day = (Start: string) =>
      action === 'GetCostAndUsage'
        ? { TimePeriod: { Start }, Total: metric('2.005'), Groups: [] }
        : {
            TimePeriod: { Start },
            Total: {},
            Groups: [
              {
                Keys: ['i-00000000000000000', 'Amazon Elastic Compute Cloud - Compute'],
                Metrics: metric(amount()),
              },
              { Keys: ['vol-0123456789abcdef0'], Metrics: metric('1') },
              { Keys: ['bucket-111111111111', 'Amazon Simple Storage Service'], Metrics: metric('1.2E-7') },
              { Keys: ['NoResourceId'], Metrics: metric('1') },
            ],
          }
    if (NextPageToken === undefined)
      return { body: { ResultsByTime: [day(TimePeriod.Start)], NextPageToken: 'two' } }
    return { body: { ResultsByTime: TimePeriod.Start === last ? [] : [day(last)] } }
  }

test('AWS: days are added to those that are known, and a day that is told again counts once', async () => {
  const clock = { now: new Date('2026-11-23T10:00:00Z') }
  const app = await testApp({ now: () => clock.now })
  const ctx = await app.newTenant()
  const aws = await startAws(1)
  aws.fault = costExplorer(() => (clock.now.getUTCDate() === 23 ? '0.335' : '1'))
  const values = awsValues(aws)
  const { id } = await connectAndRead(ctx, { provider: 'AWS', signIn: 'access_key', values })
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  const costs = async (type: string) =>
    (await listResourceDetails(ctx, PAGE, { type })).items[0]?.costs.map((it) => it.amount)
  // the 9th and the 22nd
  expect([await costs('compute'), await costs('storage')]).toEqual([['0.67'], ['0.00']])
  const months = await listCosts(ctx)
  expect(months.map((it) => [it.month, it.amount, it.knownFrom, it.knownUntil])).toEqual([
    ['2026-11', '2.01', '2026-11-22', '2026-11-22'],
    ['2026-08', '2.01', '2026-08-01', '2026-08-01'],
  ])
  clock.now = new Date('2026-11-24T10:00:00Z')
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  // the 20th and the 23rd are new: what was settled is not asked for again
  expect(await costs('compute')).toEqual(['2.67'])
  const asked = aws.calls.filter(({ headers }) => String(headers['x-amz-target']).includes('WithResources'))
  expect(asked.map(({ body }) => (JSON.parse(body) as { TimePeriod: object }).TimePeriod).at(-1)).toEqual({
    Start: '2026-11-20',
    End: '2026-11-24',
  })
})

test('AWS without data by resource: the sums of the account are told, and why the rest is not', async () => {
  const ctx = await home().newTenant()
  const aws = await startAws(1)
  aws.fault = costExplorer(() => '1', false)
  const { id } = await connectAndRead(ctx, {
    provider: 'AWS',
    signIn: 'access_key',
    values: awsValues(aws),
  })
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  expect((await listCosts(ctx, id)).length).toBeGreaterThan(0)
  expect(await listCostAccounts(ctx, id)).toMatchObject([
    {
      status: 'partial',
      reason:
        'costs of single resources: ce:GetCostAndUsageWithResources: DataUnavailableException: not enabled',
    },
  ])
})

test('AWS throttled throughout: nothing is lost and the account says so', async () => {
  const ctx = await home().newTenant()
  const aws = await startAws(1)
  const { id } = await connectAndRead(ctx, {
    provider: 'AWS',
    signIn: 'access_key',
    values: awsValues(aws),
  })
  aws.fault = ({ headers }) =>
    headers['x-amz-target'] === undefined ? undefined : awsError(400, 'LimitExceededException')
  await switchCosts(ctx, id, { isOn: true })
  await work(ctx)
  expect(await listCostAccounts(ctx, id)).toMatchObject([{ status: 'partial', completedAt: null }])
})

test('Google Cloud: one query for all projects, machines by their number, credits taken off', async () => {
  const ctx = await home().newTenant()
  const google = await startGoogle(1)
  const { id } = await connectAndRead(ctx, {
    provider: 'GCP',
    signIn: 'service_account_key',
    values: googleValues(google),
  })
  await expect(switchCosts(ctx, id, { isOn: true })).rejects.toThrow(/table: is required/)
  await expect(switchCosts(ctx, id, { isOn: true, table: 'x`; drop' })).rejects.toThrow(
    /^table: must be PROJECT/,
  )
  const [machine] = google.machines
  const row = (...values: (string | null)[]) => ({ f: values.map((v) => ({ v })) })
  const jobReference = { projectId: 'billing-project', jobId: 'j1', location: 'EU' }
  google.fault = ({ url, method }) => {
    if (!url.pathname.startsWith('/bigquery/')) return undefined
    if (method === 'POST') return { body: { jobComplete: false, jobReference } }
    if (url.searchParams.get('location') !== 'EU') return { status: 404, body: {} }
    const rows = url.searchParams.has('pageToken')
      ? [row('project-0', '1000', '//storage.googleapis.com/projects/_/buckets/bucket-project-0', 'EUR', '1')]
      : [
          row(
            'project-0',
            '1000',
            `//compute.googleapis.com/projects/1000/zones/z/instance/${machine?.id}`,
            'EUR',
            '20.5',
          ),
          row('project-0', '1000', null, 'EUR', '-0.25'),
        ]
    const more = url.searchParams.has('pageToken') ? {} : { pageToken: 'p2' }
    return { body: { jobComplete: true, jobReference, rows, ...more } }
  }
  await switchCosts(ctx, id, { isOn: true, table: 'billing-project.export.gcp_billing_export_resource_v1_A' })
  await work(ctx)
  const cost = async (type: string) =>
    (await listResourceDetails(ctx, PAGE, { type })).items.flatMap(({ costs }) => costs[0]?.amount ?? [])
  expect([await cost('compute'), await cost('storage')]).toEqual([['20.50'], ['1.00']])
  expect((await listCosts(ctx, id))[0]).toMatchObject({
    account: 'project-0',
    amount: '21.25',
    ofResources: '21.50',
  })
  const { body } = google.calls.find(
    ({ url, method }) => url.pathname.includes('/bigquery/') && method === 'POST',
  )!
  expect(body).toContain('maximumBytesBilled')
})

test('two connections of one account: its costs are asked for once, and stay when their reader goes', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(1)
  azure.fault = costManagement(azure.address, [[1, '', 'EUR']])
  const ids: string[] = []
  for (const name of ['a', 'b']) {
    const input = { provider: 'Azure', signIn: 'client_secret', values: azureValues(azure), name }
    const { id } = await connectAndRead(ctx, input)
    await switchCosts(ctx, id, { isOn: true })
    ids.push(id)
  }
  await work(ctx)
  expect((await listCostAccounts(ctx, ids[1]!)).length).toBe(0)
  const before = (await listCosts(ctx)).map(({ amount, month }) => [amount, month])
  expect(before).toHaveLength(4)
  await deleteConnection(ctx, ids[0]!)
  expect((await listCosts(ctx)).map(({ amount, month }) => [amount, month])).toEqual(before)
  await deleteConnection(ctx, ids[1]!)
  expect(await listCosts(ctx)).toEqual([])
})
