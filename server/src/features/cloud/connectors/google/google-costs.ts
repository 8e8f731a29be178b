import { setTimeout as sleep } from 'node:timers/promises'
import { invalid } from '#platform/errors.ts'
import type { CostLine } from '../../costs/cost.ts'
import { CloudFault } from '../cloud-fault.ts'
import type { CostReader, Session, Values } from '../connector.ts'
import { ADDED_UP, pagesOf } from '../pages.ts'
import { listAt, textAt, type JsonObject } from '../read-json.ts'
import { googleApi, type GoogleApi } from './google-api.ts'

/** `PROJECT.DATASET.TABLE`; its name is written into a query. */
const COST_TABLE = /^([a-z][a-z0-9-]{4,62})\.(\w{1,1024})\.([\w-]{1,1024})$/
/** A query that would read more fails, and costs nothing. */
const BYTES_BILLED_MAX = String(100 * 1024 ** 3)
const ROWS = 10_000
const ANSWER_WITHIN_MS = 30_000
const POLL_MS = 500

/** The detailed export of Cloud Billing to BigQuery: what a month is invoiced, credits taken off, by resource. */
export const googleCosts: CostReader = {
  by: 'month',
  isOneForAll: true,
  needs: 'costTable',
  tableFault: costTableFault,
  note:
    'Costs are read from the detailed export of Cloud Billing to BigQuery, which you switch on for the billing account. ' +
    'BigQuery charges for what each query reads: at most 100 GiB, or the query fails. The service account needs BigQuery ' +
    'Data Viewer on the dataset and BigQuery Job User on its project.',
  async *read(session, accounts, { from }) {
    const api = googleApi(session)
    const [, project = '', dataset, table] = COST_TABLE.exec(session.settings['costTable'] ?? '') ?? []
    if (project === '') throw new CloudFault('bad_answer', 'no table of the billing export is named')
    const query = costQuery(`${project}.${dataset}.${table}`)
    let job: JsonObject | undefined
    const pages = pagesOf(async (pageToken) => {
      const page =
        job === undefined
          ? await begin(api, project, { query, month: from, accounts })
          : await resultsOf(api, job, pageToken)
      const whole = await untilDone(session, api, page)
      job = whole
      return { items: listAt(whole, 'rows'), next: textAt(whole, 'pageToken') }
    }, ADDED_UP)
    for await (const rows of pages) yield { lines: rows.map((it) => lineOf(it, from)) }
  },
}

function costTableFault(table: string): string | undefined {
  return COST_TABLE.test(table) ? undefined : 'must be PROJECT.DATASET.TABLE'
}

export function checkCostTable({ costTable }: Values): void {
  const fault = costTable === undefined ? undefined : costTableFault(costTable)
  if (fault !== undefined) throw invalid('costTable', fault)
}

/** Lines of an invoice are exported from the day before the month on; the partitions keep the query small. */
const costQuery = (table: string): string => `
  select project.id, project.number, resource.global_name, currency,
    cast(sum(cast(cost as numeric)
      + ifnull((select sum(cast(c.amount as numeric)) from unnest(credits) c), 0)) as string)
  from \`${table}\`
  where _partitiontime >= timestamp(date_sub(@month, interval 1 day)) and invoice.month = format_date('%Y%m', @month)
    and project.id in unnest(@projects)
  group by 1, 2, 3, 4`

const begin = (
  api: GoogleApi,
  project: string,
  {
    query,
    month,
    accounts,
  }: { readonly query: string; readonly month: string; readonly accounts: readonly string[] },
) =>
  api.post('bigquery', `/bigquery/v2/projects/${project}/queries`, {
    query,
    useLegacySql: false,
    maxResults: ROWS,
    timeoutMs: ANSWER_WITHIN_MS,
    maximumBytesBilled: BYTES_BILLED_MAX,
    parameterMode: 'NAMED',
    queryParameters: [
      { name: 'month', parameterType: { type: 'DATE' }, parameterValue: { value: month } },
      {
        name: 'projects',
        parameterType: { type: 'ARRAY', arrayType: { type: 'STRING' } },
        parameterValue: { arrayValues: accounts.map((value) => ({ value })) },
      },
    ],
  })

function resultsOf(api: GoogleApi, job: JsonObject, pageToken?: string): Promise<JsonObject> {
  const of = (name: string) => textAt(job, 'jobReference', name)
  return api.get('bigquery', `/bigquery/v2/projects/${of('projectId')}/queries/${of('jobId')}`, {
    maxResults: String(ROWS),
    timeoutMs: String(ANSWER_WITHIN_MS),
    ...(of('location') !== '' && { location: of('location') }),
    ...(pageToken !== undefined && { pageToken }),
  })
}

/** A query that takes long is asked for until it has an answer or the reading must end. */
async function untilDone(session: Session, api: GoogleApi, first: JsonObject): Promise<JsonObject> {
  let answer = first
  while (textAt(answer, 'jobComplete') === 'false') {
    await sleep(Math.min(POLL_MS, session.pace.waitMaxMs), undefined, { signal: session.signal })
    answer = await resultsOf(api, answer)
  }
  return answer
}

/** `{"f": [{"v": "…"}, …]}`, in the order of the query. */
function lineOf(row: unknown, day: string): CostLine {
  const [account = '', number = '', name = '', currency = '', amount = ''] = listAt(row, 'f').map((it) =>
    textAt(it, 'v'),
  )
  return { account, resource: resourceOf(name, account, number), day, currency, amount }
}

/** Machines by their number; the rest as Asset Inventory names them, by the id of the project instead of its number. */
function resourceOf(name: string, project: string, number: string): string {
  const machine = /^\/\/compute\.googleapis\.com\/.+\/instances?\/(\d+)$/.exec(name)?.[1]
  if (machine !== undefined) return `gcp:${machine}`
  const bucket = /^\/\/storage\.googleapis\.com\/projects\/_\/buckets\/([^/]+)$/.exec(name)?.[1]
  if (bucket !== undefined) return `//storage.googleapis.com/${bucket}`
  return name.replace(`/projects/${number}/`, `/projects/${project}/`)
}
