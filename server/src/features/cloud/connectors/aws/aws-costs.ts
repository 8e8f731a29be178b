import type { CostLine, CostPage, CostPeriod } from '../../costs/cost.ts'
import { CloudFault } from '../cloud-fault.ts'
import type { CostReader, Session } from '../connector.ts'
import { ADDED_UP, pagesOf } from '../pages.ts'
import { listAt, objectAt, textAt, type JsonObject } from '../read-json.ts'
import { credentialsIn, signedIn } from './aws-accounts.ts'
import { awsApi, homeRegion, partitionOf, type AwsApi, type AwsPlace } from './aws-api.ts'

const S3 = 'Amazon Simple Storage Service'
/** Services of what is listed, by their names in Cost Explorer: a query by resource must name services. */
const SERVICES = [
  'Amazon Elastic Compute Cloud - Compute',
  'Amazon Relational Database Service',
  S3,
  'Amazon Elastic Container Service for Kubernetes',
  'AWS Lambda',
]
const METRIC = 'UnblendedCost'

/** Cost Explorer, API version 2017-10-25: unblended costs by day; those of resources for the last 14 days alone. */
export const awsCosts: CostReader = {
  by: 'day',
  tellsTotals: true,
  note:
    'AWS charges 0.01 USD for each request to Cost Explorer: at least two a day and account. The role needs ' +
    'ce:GetCostAndUsage and ce:GetCostAndUsageWithResources. Costs of single resources are told once resource-level data ' +
    'is switched on in the preferences of Cost Explorer, which AWS may charge for, and for 14 days back.',
  async *read(session, accounts, period) {
    const isAlone = (session.settings['accounts'] ?? '') === ''
    const self = await signedIn(session, isAlone ? accounts[0] : undefined)
    for (const account of accounts) {
      const credentials = await credentialsIn(session, self, account, { isChecked: false })
      const asking = { api: awsApi(session, credentials), session, account }
      for await (const lines of totals(asking, period)) yield { lines }
      yield* ofResources(asking, period)
    }
  },
}

interface Asking {
  readonly api: AwsApi
  readonly session: Session
  readonly account: string
}

const totals = (asking: Asking, { from, until, totalsFrom = from }: CostPeriod) =>
  ask(asking, 'GetCostAndUsage', {
    TimePeriod: { Start: totalsFrom, End: until },
    Filter: ofAccount(asking),
  })

/** Without the preference or the permission, the sum of the account is told all the same. */
async function* ofResources(asking: Asking, { from, until }: CostPeriod): AsyncIterable<CostPage> {
  const Services = { Dimensions: { Key: 'SERVICE', Values: SERVICES } }
  try {
    for await (const lines of ask(asking, 'GetCostAndUsageWithResources', {
      TimePeriod: { Start: from, End: until },
      Filter: { And: [ofAccount(asking), Services] },
      GroupBy: ['RESOURCE_ID', 'SERVICE'].map((Key) => ({ Type: 'DIMENSION', Key })),
    }))
      yield { lines }
  } catch (error) {
    if (!(error instanceof CloudFault && (error.kind === 'not_allowed' || error.kind === 'bad_answer')))
      throw error
    yield { lines: [], shortfall: `costs of single resources: ${error.message}` }
  }
}

const ofAccount = ({ account }: Asking) => ({
  Dimensions: { Key: 'LINKED_ACCOUNT', Values: [account] },
})

async function* ask(asking: Asking, action: string, body: JsonObject): AsyncIterable<CostLine[]> {
  const { api, session, account } = asking
  const pages = pagesOf(async (NextPageToken) => {
    const page = await api.json(placeOf(session, account), `AWSInsightsIndexService.${action}`, {
      ...body,
      Granularity: 'DAILY',
      Metrics: [METRIC],
      ...(NextPageToken !== undefined && { NextPageToken }),
    })
    return { items: listAt(page, 'ResultsByTime'), next: textAt(page, 'NextPageToken') }
  }, ADDED_UP)
  for await (const days of pages) yield days.flatMap((it) => linesOf(asking, it))
}

function linesOf({ session, account }: Asking, day: unknown): CostLine[] {
  const line = (resource: string, metrics: JsonObject): CostLine[] => {
    const { Amount, Unit } = objectAt(metrics, METRIC)
    if (typeof Amount !== 'string' || typeof Unit !== 'string') return []
    return [{ account, resource, day: textAt(day, 'TimePeriod', 'Start'), currency: Unit, amount: Amount }]
  }
  const groups = listAt(day, 'Groups').flatMap((it) => {
    const [key = '', service] = listAt(it, 'Keys').map(String)
    const resource = service === S3 ? bucketOf(key, partitionOf(session)) : resourceOf(key)
    return resource === '' ? [] : line(resource, objectAt(it, 'Metrics'))
  })
  return [...groups, ...line('', objectAt(day, 'Total'))]
}

/** What Cost Explorer calls what has no id. */
const NONE = 'NoResourceId'

/** Instances are named by their id, buckets by their name, the rest by ARN. */
const resourceOf = (key: string): string =>
  key === NONE ? '' : /^i-[0-9a-f]+$/.test(key) ? `aws:${key}` : key

const bucketOf = (key: string, partition: string): string =>
  key === NONE || key === '' ? '' : key.startsWith('arn:') ? key : `arn:${partition}:s3:::${key}`

const placeOf = (session: Session, account: string): AwsPlace => ({
  service: 'ce',
  region: partitionOf(session) === 'aws-cn' ? 'cn-northwest-1' : homeRegion(session),
  account,
})
