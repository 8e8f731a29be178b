import { CloudFault } from '../cloud-fault.ts'
import { pagesOf } from '../pages.ts'
import { listAt, textAt } from '../read-json.ts'
import type { AzureApi } from './azure-api.ts'

/** The most that Resource Graph answers at once. */
const ROWS_MAX = 1_000

/** The rows of a query over subscriptions, page by page. The rows must have an `id`, or there is no next page. */
export function rowsOf(
  api: AzureApi,
  subscriptions: readonly string[],
  query: string,
): AsyncIterable<readonly unknown[]> {
  return pagesOf(async (token) => {
    const options = {
      $top: ROWS_MAX,
      resultFormat: 'objectArray',
      ...(token !== undefined && { $skipToken: token }),
    }
    const page = await api.post('/providers/Microsoft.ResourceGraph/resources', '2022-10-01', {
      subscriptions,
      query,
      options,
    })
    const next = textAt(page, '$skipToken')
    if (next === '' && textAt(page, 'resultTruncated') === 'true')
      throw new CloudFault('too_many', 'Resource Graph cut its answer')
    return { items: listAt(page, 'data'), ...(next !== '' && { next }) }
  })
}
