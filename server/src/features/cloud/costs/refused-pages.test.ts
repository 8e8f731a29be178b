import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { awsError, awsValues, OWN_ACCOUNT, startAws } from '#test/support/cloud-providers/aws-replay.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { googleValues, startGoogle } from '#test/support/cloud-providers/google-replay.ts'
import type { Replay, ReplayAnswer, ReplayCall } from '#test/support/cloud-providers/replay.ts'
import { connectCloud } from '../cloud.ts'
import { QUICK } from '../cloud.fixture.ts'
import { GLOBAL } from '../cloud-resource.ts'
import type { Values } from '../connectors/connector.ts'
import * as scopes from '../scope-store.ts'
import { listCostAccounts, listCosts, switchCosts } from './costs.ts'
import { readCosts } from './read-costs.ts'

const home = sharedTestApp()

/** Costs of each provider in two pages of one unit each. */
interface Costs {
  readonly isLater: (call: ReplayCall) => boolean
  readonly page: (call: ReplayCall, isLater: boolean) => ReplayAnswer | undefined
  readonly refusal: ReplayAnswer
}

const columns = ['Cost', 'ResourceId', 'Currency'].map((name) => ({ name }))
const azureCosts: Costs = {
  isLater: ({ url }) => url.searchParams.has('$skiptoken'),
  page: ({ url, headers }, isLater) =>
    url.pathname.endsWith('/Microsoft.CostManagement/query')
      ? {
          body: {
            properties: {
              columns,
              rows: [[1, '', 'EUR']],
              nextLink: isLater ? null : `http://${headers.host}${url.pathname}?$skiptoken=2`,
            },
          },
        }
      : undefined,
  refusal: { status: 400, body: { error: { code: 'BadRequest', message: 'expired' } } },
}

const awsCosts: Costs = {
  isLater: ({ body }) => body.includes('NextPageToken'),
  page: ({ headers, body }, isLater) => {
    if (headers['x-amz-target'] !== 'AWSInsightsIndexService.GetCostAndUsage')
      return headers['x-amz-target'] === undefined ? undefined : { body: { ResultsByTime: [] } }
    const { TimePeriod } = JSON.parse(body) as { TimePeriod: { Start: string } }
    const Total = { UnblendedCost: { Amount: '1', Unit: 'EUR' } }
    return { body: { ResultsByTime: [{ TimePeriod, Total }], ...(!isLater && { NextPageToken: '2' }) } }
  },
  refusal: awsError(400, 'InvalidNextTokenException'),
}

const jobReference = { projectId: 'billing-project', jobId: 'j1' }
const googleCosts: Costs = {
  isLater: ({ url }) => url.searchParams.has('pageToken'),
  page: ({ url }, isLater) => {
    if (!url.pathname.startsWith('/bigquery/')) return undefined
    const rows = [{ f: ['project-0', '1000', null, 'EUR', '1'].map((v) => ({ v })) }]
    return { body: { jobComplete: true, jobReference, rows, ...(!isLater && { pageToken: '2' }) } }
  },
  refusal: { status: 400, body: { error: { code: 400, message: 'Invalid page token' } } },
}

interface Connected {
  readonly replay: Replay
  readonly costs: Costs
  readonly signIn: string
  readonly values: Values
  readonly account: string
  readonly table?: string
}

const connections: Readonly<Record<string, () => Promise<Connected>>> = {
  async Azure() {
    const replay = await startAzure(0)
    const values = azureValues(replay)
    return { replay, costs: azureCosts, signIn: 'client_secret', values, account: 'a-subscription' }
  },
  async AWS() {
    const replay = await startAws(0)
    const values = awsValues(replay)
    return { replay, costs: awsCosts, signIn: 'access_key', values, account: OWN_ACCOUNT }
  },
  async GCP() {
    const replay = await startGoogle(0)
    const [values, table] = [googleValues(replay), 'billing-project.export.table']
    return { replay, costs: googleCosts, signIn: 'service_account_key', values, account: 'project-0', table }
  },
}

/** Answers with costs; the first time that a later page is asked for, its token is refused. */
function refuseOnce(replay: Replay, { isLater, page, refusal }: Costs): void {
  let hasRefused = false
  replay.fault = (call) => {
    const answer = page(call, isLater(call))
    if (!answer || !isLater(call) || hasRefused) return answer
    hasRefused = true
    return refusal
  }
}

test.each(Object.entries(connections))(
  '%s: costs whose pages are refused underway are told as partial, and counted once the next time',
  async (provider, connected) => {
    const ctx = await home().newTenant()
    const { replay, costs, signIn, values, account, table } = await connected()
    const { id } = await connectCloud(ctx, { name: 'cloud', provider, signIn, values }, { isTested: true })
    await scopes.put(ctx, id, [{ account, region: GLOBAL, type: 'storage', reading: 'storage' }])
    await switchCosts(ctx, id, { isOn: true, ...(table !== undefined && { table }) })
    refuseOnce(replay, costs)
    const read = async () => {
      const job = { connectionId: id, since: ctx.now().toISOString() }
      await readCosts(ctx, job, new AbortController().signal, QUICK)
      const amounts = (await listCosts(ctx, id)).map(({ amount }) => amount)
      return [(await listCostAccounts(ctx, id)).map(({ status }) => status), [...new Set(amounts)]]
    }
    expect(await read()).toEqual([['partial'], []])
    expect(await read()).toEqual([['complete'], ['2.00']])
  },
)
