import type { CostLine } from '../../costs/cost.ts'
import type { CostReader } from '../connector.ts'
import { ADDED_UP, pagesOf } from '../pages.ts'
import { listAt, objectAt, textAt } from '../read-json.ts'
import { azureApi } from './azure-api.ts'

/** Cost Management, Query - Usage: actual costs of a month by resource, in the currency in which it is billed. */
export const azureCosts: CostReader = {
  by: 'month',
  note:
    'Azure does not charge for these queries, but limits them for the whole directory. The identity needs the role Cost ' +
    'Management Reader on the subscriptions, and on an enterprise agreement its owner must let readers see charges.',
  async *read(session, accounts, { from, until }) {
    const api = azureApi(session)
    const last = new Date(Date.parse(until) - 1_000).toISOString().slice(0, 19)
    const body = {
      type: 'ActualCost',
      timeframe: 'Custom',
      timePeriod: { from: `${from}T00:00:00Z`, to: `${last}Z` },
      dataset: {
        granularity: 'None',
        aggregation: { total: { name: 'Cost', function: 'Sum' } },
        grouping: [{ type: 'Dimension', name: 'ResourceId' }],
      },
    }
    for (const account of accounts) {
      const path = `/subscriptions/${account}/providers/Microsoft.CostManagement/query`
      const pages = pagesOf(async (link) => {
        const answer = objectAt(await api.post(path, '2025-03-01', body, link), 'properties')
        return { items: [answer], next: textAt(answer, 'nextLink') }
      }, ADDED_UP)
      for await (const [answer] of pages) yield { lines: linesOf(answer, account, from) }
    }
  },
}

/** Rows are lists of values; the columns say which is which. */
function linesOf(answer: unknown, account: string, day: string): CostLine[] {
  const names = listAt(answer, 'columns').map((it) => textAt(it, 'name').toLowerCase())
  const [cost, resource, currency] = ['cost', 'resourceid', 'currency'].map((it) => names.indexOf(it))
  const at = (row: unknown, column: number | undefined): string =>
    Array.isArray(row) && column !== undefined && column >= 0 ? String(row[column] ?? '') : ''
  return listAt(answer, 'rows').map((row) => ({
    account,
    resource: at(row, resource).toLowerCase(),
    day,
    currency: at(row, currency),
    amount: at(row, cost),
  }))
}
