import { existsSync } from 'node:fs'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { measureListing, type ListingSpeed } from './findings-listing.ts'
import { fillEstate } from './matching-estate.ts'
import { linesOf, qualityOver } from './matching-quality.ts'
import { measureMatching, type MatchingSpeed } from './matching-speed.ts'
import { openScratch } from '../scratch-installation.ts'
import { TENANT_SLUG } from '../seed/seed.ts'

const FOLDER_DEFAULT = '../shared/data'
const ASSETS = 10_000
const EACH = 500
const DISTINCT = 20_000
const FINDINGS = 1_000_000

/** How often matching is right on labelled data, how fast it is, and how fast its findings are listed. */
export async function benchMatching({ options }: CommandInput): Promise<CommandResult> {
  const folder = typeof options['data'] === 'string' ? options['data'] : FOLDER_DEFAULT
  if (!existsSync(folder)) throw invalid('data', `there is no folder ${folder}`)
  const quality = await qualityOver(folder)
  const [speed, listing] = options['quality'] ? [] : await measureSpeed(folder)
  return {
    json: { quality, speed, listing },
    text: [
      ...linesOf(quality),
      ...(speed ? speedLines(speed) : []),
      ...(listing ? listingLines(listing) : []),
    ].join('\n'),
  }
}

async function measureSpeed(folder: string): Promise<[MatchingSpeed, ListingSpeed[]]> {
  const scratch = await openScratch({ size: ASSETS, keepIn: undefined, say })
  try {
    const { id: tenantId } = await getTenantBySlug(scratch.runtime.system, TENANT_SLUG)
    const ctx = scratch.runtime.contextFor(tenantId)
    say('filling the estate')
    const estate = await fillEstate(scratch, { folder, tenantId, distinct: DISTINCT, each: EACH })
    say(`matching ${estate.installed} installations`)
    const speed = await measureMatching(ctx, scratch.superuser, estate, say)
    say('listing')
    return [speed, await measureListing(scratch, { tenantId, findings: FINDINGS, say })]
  } finally {
    await scratch.close()
  }
}

const speedLines = (speed: MatchingSpeed): string[] => [
  '',
  `${ASSETS} assets with ${EACH} packages each, ${DISTINCT} distinct:`,
  `  reading the rows       ${speed.readSeconds.toFixed(1)} s`,
  `  matching all of them   ${speed.fullSeconds.toFixed(1)} s (${(speed.fullSeconds / speed.readSeconds).toFixed(1)} times as long), ${speed.findings} findings`,
  `  a day's ${speed.deltaRecords} records     ${speed.deltaSeconds.toFixed(1)} s (${(speed.deltaSeconds / speed.readSeconds).toFixed(1)} times as long), ${speed.changedFindings} changes`,
  `  memory at most         ${speed.megabytes} MB`,
]

const listingLines = (listing: readonly ListingSpeed[]): string[] => [
  '',
  `Lists of ${FINDINGS} findings, in milliseconds:`,
  ...listing.map(
    ({ title, p50Ms, p95Ms, fault }) =>
      `  ${title.padEnd(44)} ${p50Ms.toFixed(1).padStart(7)} ${p95Ms.toFixed(1).padStart(7)}${fault ? `  ${fault}` : ''}`,
  ),
]

/** Progress, apart from the answer. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
