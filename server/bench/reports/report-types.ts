/** Every type of report in every format, of a seeded estate: collected from the database and written by the product. */
import { loadavg } from 'node:os'
import { createKey } from '#features/api-keys/api-keys.ts'
import { adoptFramework, evaluateNow } from '#features/compliance/compliance.ts'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { API_PATH } from '#platform/http/pipeline.ts'
import { reportFormats, reportTypes } from '../../src/features/reports/reports.ts'
import { startClient, startProduct, type Client, type RunningServer } from '../processes.ts'
import { percentile } from '../ratio.ts'
import { openScratch, type Scratch } from '../scratch-installation.ts'
import { TENANT_SLUG } from '../seed/seed.ts'
import { seedReportRecords } from '../seed/seeded-report-records.ts'
import { measuring, type ProcessCost } from './process-cost.ts'

const FINDINGS_EACH = 5
const FRAMEWORK = 'nist-csf-2.0'
const POLL_MS = 100
const READING_SECONDS = 20
const READERS = 2

export interface ReportTypesOptions {
  readonly assets: number
  /** A folder that keeps the seeded database. */
  readonly keepIn: string | undefined
  readonly say: (text: string) => void
}

interface MeasuredReport extends ProcessCost {
  readonly type: string
  readonly format: string
  readonly status: string
  /** From the request to the file. */
  readonly wall: number
}

/** In one server, one after the other; the time that PostgreSQL takes is in `wall` alone. */
export async function benchReportTypes(options: ReportTypesOptions): Promise<CommandResult> {
  const { assets: size, keepIn, say } = options
  const scratch = await openScratch({ size, findingsEach: FINDINGS_EACH, keepIn, say })
  const apiKey = await prepared(scratch, say)
  const product = await startProduct(scratch.environment)
  const client = startClient()
  try {
    const reports: MeasuredReport[] = []
    for (const type of reportTypes)
      for (const format of reportFormats) {
        reports.push(await measuredReport(product, apiKey, { type, format }))
        say(lineOf(reports.at(-1) as MeasuredReport))
      }
    const reading = await readingBeside({ product, client, apiKey, size })
    const load = loadavg().map((it) => it.toFixed(1))
    return {
      json: { assets: size, load, reports, reading },
      text: [
        `${size} assets, load ${load.join(' ')}`,
        ...reports.map(lineOf),
        `first page of assets, p95: ${reading.alone} ms alone, ${reading.beside} ms while an audit is printed`,
      ].join('\n'),
      ...(reports.some(({ status }) => status !== 'available') && { isBad: true }),
    }
  } finally {
    await client.stop()
    await product.stop()
    await scratch.close()
  }
}

/** Answers the secret of a key. */
async function prepared({ runtime, superuser }: Scratch, say: (text: string) => void): Promise<string> {
  say('seeding purchases, prices, links and nights; evaluating checks')
  const tenant = await getTenantBySlug(runtime.system, TENANT_SLUG)
  const ctx = runtime.contextFor(tenant.id)
  await seedReportRecords(superuser, tenant.id)
  await adoptFramework(ctx, FRAMEWORK)
  await evaluateNow(ctx)
  return (await createKey(ctx, { name: 'Bench', scopes: ['read', 'write'] })).secret
}

const lineOf = ({ type, format, status, seconds, peak, before, renderer, wall }: MeasuredReport): string =>
  `${type} as ${format}: ${status}, ${seconds.toFixed(2)} s of CPU, ${wall.toFixed(1)} s in all, ` +
  `server ${peak} MB at most, ${before} MB before it began, and ${renderer} MB for the file`

interface Wanted {
  readonly type: string
  readonly format: string
}

async function measuredReport(
  product: RunningServer,
  apiKey: string,
  wanted: Wanted,
): Promise<MeasuredReport> {
  const start = measuring(product.pid)
  const begun = performance.now()
  const { status } = await generated(product, apiKey, wanted)
  return { ...wanted, status, ...start.end(), wall: (performance.now() - begun) / 1_000 }
}

/** Orders a report and waits for its end. */
export async function generated(
  { address }: RunningServer,
  apiKey: string,
  wanted: Wanted,
): Promise<{ status: string }> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const ask = async (path: string, body?: object): Promise<{ id: string; status: string }> => {
    const answer = await fetch(`${address}${API_PATH}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string; status: string }
  }
  let report = await ask('/reports', { name: `${wanted.type} as ${wanted.format}`, ...wanted })
  while (report.status === 'generating') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    report = await ask(`/reports/${report.id}`)
  }
  return report
}

interface Reading {
  readonly product: RunningServer
  readonly client: Client
  readonly apiKey: string
  readonly size: number
}

/** Milliseconds of the 95th percentile, without a report and during the largest one, one after the other. */
async function readingBeside({ product, client, apiKey, size }: Reading) {
  const load = {
    address: product.address,
    headers: { 'x-api-key': apiKey },
    questions: [{ path: `${API_PATH}/assets`, total: size }],
    concurrency: READERS,
    seconds: READING_SECONDS,
  }
  const p95 = async () => Math.round(percentile((await client.load(load)).milliseconds, 0.95))
  const alone = await p95()
  const [beside] = await Promise.all([
    p95(),
    generated(product, apiKey, { type: 'asset_audit', format: 'pdf' }),
  ])
  return { alone, beside }
}
