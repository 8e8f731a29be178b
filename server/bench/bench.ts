/** The bench: how fast the product is on a tenant of a million assets, beside what the machine allows at best. */
import { createKey } from '#features/api-keys/api-keys.ts'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { releaseWhenAsked } from '../src/startup/shutdown.ts'
import { measureArchiving } from './archive/archive-speed.ts'
import { measureIntake } from './intake/intake-speed.ts'
import type { Measured } from './ratio.ts'
import { startClient, startProduct } from './processes.ts'
import { askings } from './requests/request-sets.ts'
import { measureReading, type Bench } from './requests/request-speed.ts'
import { factsOf, report } from './report.ts'
import { measureChangingFacets, measureFacets } from './requests/facet-speed.ts'
import { openScratch } from './scratch-installation.ts'
import { TENANT_SLUG } from './seed/seed.ts'
import { benchFairness } from './webhooks/webhook-fairness.ts'
import { benchWebhooks } from './webhooks/webhooks.ts'

const ASSETS_DEFAULT = 1_000_000
const ASSETS_MAX = 10_000_000
const FINDINGS_EACH = 5
const FINDINGS_MAX = 100_000_000
const SECONDS_DEFAULT = 10
const SECONDS_MAX = 3_600
const SNAPSHOT_SECONDS_DEFAULT = 20
const HANGING_DEFAULT = 4_000
const HANGING_MAX = 10_000

/** Measures all, or what has the name given, or what begins with it, and answers a table and the figures. */
export async function bench({ args, options }: CommandInput): Promise<CommandResult> {
  const size = wholeNumber('assets', options['assets'], { fallback: ASSETS_DEFAULT, max: ASSETS_MAX })
  const seconds = wholeNumber('seconds', options['seconds'], { fallback: SECONDS_DEFAULT, max: SECONDS_MAX })
  if (args['name'] === 'webhooks' && options['hanging'] !== undefined) {
    const bounds = { fallback: HANGING_DEFAULT, max: HANGING_MAX }
    const tenants = wholeNumber('tenants', options['tenants'], { fallback: 1, max: HANGING_MAX })
    return benchFairness(wholeNumber('hanging', options['hanging'], bounds), tenants)
  }
  if (args['name'] === 'webhooks') {
    const bounds = { fallback: SNAPSHOT_SECONDS_DEFAULT, max: SECONDS_MAX }
    return benchWebhooks(seconds, wholeNumber('snapshot', options['snapshot'], bounds))
  }
  const wanted = measuresNamed(args['name'] ?? '')
  const findingsEach = Math.round(
    wholeNumber('findings', options['findings'], { fallback: size * FINDINGS_EACH, max: FINDINGS_MAX }) /
      size,
  )
  const keepIn = typeof options['keep'] === 'string' ? options['keep'] : undefined
  const scratch = await openScratch({
    size,
    findingsEach: wanted.some(({ name }) => /^(conditions|finding-conditions|facets|archive)/.test(name))
      ? findingsEach
      : 0,
    keepIn,
    say,
  })
  const opened = [scratch.close]
  const close = releaseWhenAsked(async () => {
    for (const release of opened.toReversed()) await release()
  })
  try {
    const product = await startProduct(scratch.environment)
    opened.push(product.stop)
    const client = startClient()
    opened.push(client.stop)
    const tenantId = (await getTenantBySlug(scratch.runtime.system, TENANT_SLUG)).id
    const key = await createKey(scratch.runtime.contextFor(tenantId), { name: 'Bench', scopes: ['read'] })
    const counted = new Map<string, number>()
    const bench = { scratch, tenantId, size, counted, product, client, apiKey: key.secret, seconds }
    const measured: Measured[] = []
    for (const { title, run } of wanted) {
      say(title.toLowerCase())
      measured.push(...(await run(bench)))
    }
    const facts = await factsOf(scratch.where, size, seconds)
    return {
      json: { ...facts, measured },
      text: report(facts, measured),
      ...(measured.some(({ isExact }) => !isExact) && { isBad: true }),
    }
  } finally {
    await close()
  }
}

interface Measure {
  readonly name: string
  readonly title: string
  readonly run: (bench: Bench) => Promise<readonly Measured[]>
}

/** What changes what the others count is last. */
const measures: readonly Measure[] = [
  ...askings.map((asking): Measure => ({
    name: asking.name,
    title: asking.title,
    run: async (bench) => [await measureReading(bench, asking)],
  })),
  { name: 'facets', title: 'Facets', run: measureFacets },
  { name: 'facets-changing', title: 'Facets while the tenant changes', run: measureChangingFacets },
  { name: 'intake', title: 'Intake', run: measureIntake },
  { name: 'archive', title: 'Archiving in bulk', run: measureArchiving },
]

/** Several names have commas between them. */
const measuresNamed = (names: string): readonly Measure[] => names.split(',').flatMap(measuresBeginning)

function measuresBeginning(beginning: string): readonly Measure[] {
  const exactly = measures.filter(({ name }) => name === beginning)
  if (exactly.length > 0) return exactly
  const named = measures.filter(({ name }) => name.startsWith(beginning))
  if (named.length > 0) return named
  const names = [...measures.map(({ name }) => name), 'webhooks']
  throw invalid('name', `${beginning} is none of ${names.join(', ')}`)
}

function wholeNumber(
  field: string,
  given: string | true | undefined,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  const number = given === undefined ? fallback : Number(given)
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw invalid(field, `must be a whole number from 1 to ${max}`)
  return number
}

/** Progress, apart from the answer. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
