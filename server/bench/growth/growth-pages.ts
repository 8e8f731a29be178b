import { setTimeout as sleep } from 'node:timers/promises'
import { listAssets, type AssetFilter } from '#features/assets/assets.ts'
import { facets } from '#features/conditions/conditions.ts'
import { listFindings } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'
import { exportAsCsv } from '../../src/features/assets/exporting/csv-export.ts'
import { getOverview } from '../../src/features/assets/listing/overview.ts'
import { hostnameOf, serialOf } from '../seed/seeded-assets.ts'
import { costOfOne, type GrowthCost } from './growth-costs.ts'
import type { GrowthScene } from './growth-scene.ts'

const PAGE = { limit: 50, offset: 0 }
const SETTLE_MS = 10_000

/** Lists, searches, counts and the export, each as its verb: what HTTP adds is the same at every size. */
export async function measurePages({ ctx, size, clock, say }: GrowthScene): Promise<GrowthCost[]> {
  const page =
    (filter: AssetFilter, offset = 0) =>
    () =>
      listAssets(ctx, { ...PAGE, offset }, filter)
  const middle = Math.floor(size / 2)
  /** As whoever asks first is answered: in a transaction nothing is remembered. */
  const once = (work: (inner: Ctx) => Promise<unknown>) => () =>
    ctx.db.transaction((db) => work({ ...ctx, db }))
  const pages: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['assets, first page', page({})],
    ['assets of a type', page({ type: 'device' })],
    ['assets, last page but some', page({}, Math.floor(size * 0.9))],
    ['search for a host', page({ search: hostnameOf(middle) })],
    ['search for a serial', page({ search: serialOf(middle) })],
    ['search that a tenth matches', once((inner) => listAssets(inner, PAGE, { search: 'ber' }))],
    ['search of a tenth, asked again', page({ search: 'ber' })],
    ['search that all match', once((inner) => listAssets(inner, PAGE, { search: 'corp' }))],
    ['search that all match, asked again', page({ search: 'corp' })],
    ['condition, asked again', page({ where: 'os:windows and tag = prod' })],
    ['findings, first page', () => listFindings(ctx, PAGE)],
    ['findings of a severity', () => listFindings(ctx, PAGE, { severity: 'critical' })],
    [
      'facets, asked again',
      () => facets(ctx, { subject: 'asset', where: '', fields: ['os_family', 'type'], first: 20 }),
    ],
    ['overview', once(getOverview)],
    ['overview, asked again', () => getOverview(ctx)],
    ['CSV of 10,000', () => exportAsCsv(ctx)],
  ]
  const found: GrowthCost[] = []
  for (const [name, work] of pages) {
    if (/asked again/.test(name)) {
      // what was asked twice is worked out beside the answers
      await work()
      await work()
      await sleep(SETTLE_MS)
    }
    const { cpuMs, wallMs } = await costOfOne(clock, work)
    say(`${name}: ${cpuMs.toFixed(2)} ms of CPU, ${wallMs.toFixed(2)} ms by the clock`)
    found.push({ name, kind: 'page', unit: 'ms', cost: cpuMs })
  }
  return found
}
