import { randomUUID } from 'node:crypto'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { feedRows, SAMPLE_PART } from '../feeds/feeds-store.ts'
import type { FeedName } from '../formats/all.ts'
import { CATALOGUE_TOPIC } from '../catalogue/catalogue-topic.ts'
import * as store from './load-store.ts'
import type { EntryKind } from './staged-rows.ts'

/** Of the feeds that samples may be of; all others hold advisories. */
const KINDS: Partial<Record<FeedName, EntryKind>> = {
  kev: 'exploited',
  epss: 'likelihood',
  endoflife: 'lifecycle',
}

/** Takes the samples out of feeds that have nothing else; what was loaded since stays. */
export async function forgetSamples(system: Ctx): Promise<void> {
  permit(system, 'feeds:write')
  for (const { name, isSample } of await feedRows(system)) if (isSample) await forget(system, name)
}

async function forget(system: Ctx, feed: FeedName): Promise<void> {
  await atomically(system, async (within) => {
    const generation = await store.nextGeneration(within)
    const load = { id: randomUUID(), feed, part: SAMPLE_PART, isWhole: true }
    await store.applyLoad(within, load, KINDS[feed] ?? 'advisory', generation)
    await store.deleteLoad(within, load.id)
    await store.deletePart(within, feed, SAMPLE_PART)
    within.db.afterCommit(CATALOGUE_TOPIC)
  })
}
