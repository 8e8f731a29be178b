import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import {
  awsError,
  AWS_SECRET,
  awsValues,
  OTHER_ACCOUNT,
  startAws,
} from '#test/support/cloud-providers/aws-replay.ts'
import { azureThrottled, azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import {
  computeThrottled,
  googleValues,
  serviceDisabled,
  startGoogle,
} from '#test/support/cloud-providers/google-replay.ts'
import type { Replay, ReplayAnswer, ReplayCall } from '#test/support/cloud-providers/replay.ts'
import { connectAndRead, QUICK, work } from '../cloud.fixture.ts'
import {
  connectCloud,
  listConnections,
  listCoverage,
  listResourceDetails,
  listResources,
  syncConnection,
} from '../cloud.ts'
import { testConnection } from '../connection-test.ts'
import { totals } from '../total-store.ts'
import type { NewConnection } from '../connection-input.ts'
import type { Pace } from './connector.ts'

const home = sharedTestApp()
const PAGE = { limit: 1_000, offset: 0 }

type Input = Omit<NewConnection, 'name'>

/** Of each provider: a replay with pages of two, how it is connected to, and what its machines are listed by. */
const providers = {
  async AWS() {
    const replay = Object.assign(await startAws(5), { pageSize: 2 })
    return {
      replay,
      input: { provider: 'AWS', signIn: 'access_key', values: awsValues(replay, { regions: 'eu-west-1' }) },
    }
  },
  async Azure() {
    const replay = Object.assign(await startAzure(5), { pageSize: 2 })
    return { replay, input: { provider: 'Azure', signIn: 'client_secret', values: azureValues(replay) } }
  },
  async GCP() {
    const replay = Object.assign(await startGoogle(5), { pageSize: 2 })
    return { replay, input: { provider: 'GCP', signIn: 'service_account_key', values: googleValues(replay) } }
  },
}
type Name = keyof typeof providers

const namesOf = async (ctx: Ctx, type?: string) =>
  (await listResources(ctx, PAGE, { type })).items.map(({ name }) => name)

async function readAgain(ctx: Ctx, id: string, pace?: Pace): Promise<void> {
  await syncConnection(ctx, id)
  await work(ctx, pace)
}

test('AWS: instances, databases, buckets, clusters and functions of each region, each by its ARN', async () => {
  const ctx = await home().newTenant()
  const { replay } = await providers.AWS()
  const input = { provider: 'AWS', signIn: 'access_key', values: awsValues(replay) }
  replay.machines.push({ id: 'i-0dead', name: 'ended', state: 'terminated' })
  expect((await connectAndRead(ctx, input)).problem).toBe('')
  const { items } = await listResourceDetails(ctx, PAGE)
  expect(items.map((it) => [it.name, it.type, it.region, it.status, it.nativeId])).toEqual([
    ['bucket-111111111111', 'storage', 'eu-west-1', 'available', 'arn:aws:s3:::bucket-111111111111'],
    ['cluster-1', 'database', 'eu-west-1', 'available', 'arn:aws:rds:eu-west-1:111111111111:cluster-1'],
    ['db-1', 'database', 'eu-west-1', 'available', 'arn:aws:rds:eu-west-1:111111111111:db-1'],
    ...[0, 1, 2, 3, 4].map((n) => [
      `ec2-${n}`,
      'compute',
      'eu-west-1',
      'running',
      `arn:aws:ec2:eu-west-1:111111111111:instance/i-0000000000000000${n}`,
    ]),
    ['eks-1', 'kubernetes', 'eu-west-1', 'ACTIVE', 'arn:aws:eks:eu-west-1:111111111111:cluster/eks-1'],
    ['f-1', 'function', 'eu-west-1', 'available', 'arn:aws:lambda:eu-west-1:111111111111:function:f-1'],
  ])
  expect(items.find(({ name }) => name === 'f-1')?.tags).toEqual(['env:prod'])
  for (const { assetId } of items) expect(assetId).toMatch(/^[0-9a-f-]{36}$/)
  expect(JSON.stringify(replay.calls)).not.toContain(AWS_SECRET)
})

test('AWS: an organisation is read by the role of each active account; a role that ignores the external id is refused', async () => {
  const ctx = await home().newTenant()
  const { replay } = await providers.AWS()
  const input = {
    provider: 'AWS',
    signIn: 'access_key',
    values: awsValues(replay, { accounts: 'organization', regions: 'eu-west-1' }),
  }
  const { id } = await connectAndRead(ctx, input)
  expect(await namesOf(ctx, 'storage')).toEqual(['bucket-111111111111', `bucket-${OTHER_ACCOUNT}`])
  replay.openRoles.push(OTHER_ACCOUNT)
  const checks = await testConnection(ctx, input)
  expect(checks.find(({ what }) => what === 'account')).toMatchObject({
    account: 'security',
    isAllowed: false,
    isRefused: true,
    message: expect.stringContaining('without the external id'),
  })
  await expect(connectCloud(ctx, { ...input, name: 'open' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('without the external id'),
  })
  expect(await listConnections(ctx)).toHaveLength(1)
  const optional = { ...input, name: 'open', values: { ...input.values, externalId: 'optional' } }
  expect(await connectCloud(ctx, optional)).toMatchObject({ name: 'open' })
  await readAgain(ctx, id)
  const { items } = await listCoverage(ctx, id, PAGE)
  const failed = items.filter(({ account }) => account === OTHER_ACCOUNT)
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['failed']))
  expect(await namesOf(ctx, 'storage')).toContain(`bucket-${OTHER_ACCOUNT}`)
})

test.each([true, false])('Google Cloud, by Asset Inventory: %s', async (hasInventory) => {
  const ctx = await home().newTenant()
  const { replay, input } = await providers.GCP()
  replay.hasInventory = hasInventory
  expect((await connectAndRead(ctx, input)).problem).toBe('')
  const { items } = await listResourceDetails(ctx, PAGE)
  expect(items.map((it) => [it.name, it.type, it.region, it.status, it.account])).toEqual([
    ['bucket-project-0', 'storage', 'eu', 'available', 'project-0'],
    ['bucket-project-1', 'storage', 'eu', 'available', 'project-1'],
    ['function-1', 'function', 'us-east1', 'ACTIVE', expect.any(String)],
    ['function-1', 'function', 'us-east1', 'ACTIVE', expect.any(String)],
    ['gke-1', 'kubernetes', 'europe-west2', 'RUNNING', expect.any(String)],
    ['gke-1', 'kubernetes', 'europe-west2', 'RUNNING', expect.any(String)],
    ...[0, 1, 2, 3, 4].map((n) => [`gvm${n}`, 'compute', 'europe-west4', 'RUNNING', 'project-0']),
    ['sql-1', 'database', 'us-central1', 'RUNNABLE', expect.any(String)],
    ['sql-1', 'database', 'us-central1', 'RUNNABLE', expect.any(String)],
  ])
  expect(items.find(({ name }) => name === 'gvm0')?.nativeId).toBe(
    '//compute.googleapis.com/projects/project-0/zones/europe-west4-a/instances/gvm0',
  )
})

test('Google Cloud: a zone that does not answer leaves its scope partial, and nothing is gone', async () => {
  const ctx = await home().newTenant()
  const { replay, input } = await providers.GCP()
  replay.hasInventory = false
  const { id } = await connectAndRead(ctx, input)
  Object.assign(replay, { unreachable: ['zones/asia-south1-c'], machines: [] })
  await readAgain(ctx, id)
  expect(await namesOf(ctx, 'compute')).toHaveLength(5)
  const { items } = await listCoverage(ctx, id, PAGE)
  expect(items[0]).toMatchObject({
    type: 'compute',
    status: 'partial',
    reason: 'no answer from asia-south1-c',
  })
})

/** Lists of machines. */
const isMachines = ({ url, body }: ReplayCall): boolean =>
  /DescribeInstances|virtualmachines'/.test(body) || /assetTypes=compute/.test(url.search)
const isLaterPage = (call: ReplayCall): boolean =>
  isMachines(call) && /NextToken|"\$skipToken"|pageToken/.test(call.body + call.url.search)

const throttled: Record<Name, ReplayAnswer> = {
  AWS: awsError(503, 'RequestLimitExceeded'),
  Azure: azureThrottled,
  GCP: computeThrottled,
}
const denied: Record<Name, ReplayAnswer> = {
  AWS: awsError(403, 'UnauthorizedOperation'),
  Azure: { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no' } } },
  GCP: { status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED', message: 'no' } } },
}
const expired: Record<Name, ReplayAnswer> = {
  AWS: awsError(400, 'ExpiredToken'),
  Azure: { status: 401, body: { error: { code: 'ExpiredAuthenticationToken', message: 'expired' } } },
  GCP: { status: 401, body: { error: { code: 401, message: 'expired' } } },
}
const repeating: Record<Name, ReplayAnswer> = {
  AWS: { body: '<R><reservationSet/><nextToken>same</nextToken></R>' },
  Azure: { body: { data: [], $skipToken: 'same' } },
  GCP: { body: { assets: [], nextPageToken: 'same' } },
}

const faults: [
  string,
  'partial' | 'failed',
  (name: Name) => (call: ReplayCall) => ReplayAnswer | undefined,
][] = [
  ['throttled throughout', 'partial', (name) => (call) => (isMachines(call) ? throttled[name] : undefined)],
  ['credentials refused twice', 'failed', (name) => (call) => (isMachines(call) ? expired[name] : undefined)],
  ['not allowed', 'failed', (name) => (call) => (isMachines(call) ? denied[name] : undefined)],
  ['an answer that is cut', 'partial', (name) => (call) => (isMachines(call) ? cutAnswer(name) : undefined)],
  [
    'a connection that is reset',
    'partial',
    () => (call) => (isMachines(call) ? { cut: 'reset' } : undefined),
  ],
  [
    'an error of the server',
    'partial',
    () => (call) => (isMachines(call) ? { status: 500, body: '' } : undefined),
  ],
  [
    'a second page that fails',
    'partial',
    () => (call) => (isLaterPage(call) ? { status: 502, body: {} } : undefined),
  ],
  ['no answer in time', 'partial', () => (call) => (isMachines(call) ? { cut: 'silence' } : undefined)],
  ['pages that repeat', 'failed', (name) => (call) => (isMachines(call) ? repeating[name] : undefined)],
]

const cutAnswer = (name: Name): ReplayAnswer => ({
  cut: 'half',
  body: name === 'AWS' ? '<R><reservationSet></reservationSet></R>' : { data: [], assets: [] },
})

const table = faults.flatMap(([what, status, of]) =>
  (Object.keys(providers) as Name[]).map((name) => [name, what, status, of] as const),
)

test.each(table)(
  '%s: %s ends %s, nothing is gone, and the other types are read',
  async (name, _, status, of) => {
    const ctx = await home().newTenant()
    const { replay, input }: { replay: Replay; input: Input } = await providers[name]()
    const { id } = await connectAndRead(ctx, input)
    const before = await namesOf(ctx)
    replay.fault = of(name)
    // long enough for an answer on a busy machine, short enough to wait for
    await readAgain(ctx, id, { ...QUICK, callMs: 1_500, failedTries: 2 })
    expect(await namesOf(ctx)).toEqual(before)
    const { items } = await listCoverage(ctx, id, PAGE)
    const reached = items.filter(({ reason }) => !reason.startsWith('no access'))
    for (const scope of reached)
      expect(`${scope.type} ${scope.status}`).toBe(
        `${scope.type} ${scope.type === 'compute' ? status : 'complete'}`,
      )
    for (const { reason } of reached.filter(({ type }) => type === 'compute')) expect(reason).not.toBe('')
  },
)

test.each(Object.keys(providers) as Name[])(
  '%s: two of three calls throttled are repeated until all is read',
  async (name) => {
    const ctx = await home().newTenant()
    const { replay, input }: { replay: Replay; input: Input } = await providers[name]()
    let calls = 0
    let answered = 0
    replay.fault = (call) => {
      if (!isMachines(call)) return undefined
      calls += 1
      if (calls % 3 !== 0) return throttled[name]
      answered += 1
      return undefined
    }
    const { id } = await connectAndRead(ctx, input)
    const { items } = await listCoverage(ctx, id, PAGE)
    expect(items.filter(({ type, reason }) => type === 'compute' && !reason.startsWith('no access'))).toEqual(
      items.filter(({ type, status }) => type === 'compute' && status === 'complete'),
    )
    expect(await namesOf(ctx, 'compute')).toHaveLength(name === 'Azure' ? 6 : 5)
    const { read, throttled: told } = await totals(home().runtime.system)
    expect([read.complete > 0, told >= calls - answered, calls <= 3 * answered]).toEqual([true, true, true])
  },
)

test('Google Cloud: an API that is switched off is a hint in the coverage, and no reason to forget anything', async () => {
  const ctx = await home().newTenant()
  const { replay, input } = await providers.GCP()
  replay.hasInventory = false
  const { id } = await connectAndRead(ctx, input)
  replay.fault = ({ url }) => (url.pathname.startsWith('/sql/') ? serviceDisabled : undefined)
  await readAgain(ctx, id)
  expect(await namesOf(ctx, 'database')).toHaveLength(2)
  const { items } = await listCoverage(ctx, id, PAGE)
  expect(items[0]).toMatchObject({ type: 'database', status: 'failed' })
  expect(items[0]?.reason).toContain('the API is switched off')
})
