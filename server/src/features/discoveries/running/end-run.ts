import { mergedAssets } from '#features/assets/assets.ts'
import { Governor, isRangeCovering, stopsText } from '#features/scans/scans.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { compareHosts } from '../comparing/compare-hosts.ts'
import type { DiscoveryRun } from '../discovery.ts'
import * as hostStore from '../host-store.ts'
import * as store from '../run-store.ts'
import type { Attempt } from './attempt.ts'
import { restrain } from './restrain.ts'

/** The sweep is through and every host is done: compares with the run before and ends the run. */
export async function endRun(ctx: Ctx, attempt: Attempt): Promise<void> {
  restrain(attempt)
  const { run, progress, fault } = attempt
  await atomically(ctx, async (inner) => {
    const done = fault === undefined ? progress.addressesTotal : progress.addressesDone
    if (!(await store.note(inner, run, { ...progress, addressesDone: done }))) return
    const counted = (await store.run(inner, run.id)) ?? run
    if (fault === undefined) await compare(inner, counted)
    await store.finish(inner, run.id, {
      status: fault === undefined ? 'completed' : 'failed',
      message: fault === undefined ? summaryOf(counted) : `the sweep: ${fault}; ${summaryOf(counted)}`,
      attempt: run.attempt,
    })
  })
}

/**
 * Hosts of the run before that lie outside of what this one looked at, where it had no route to, or where it stopped, are not
 * gone.
 */
async function compare(ctx: Ctx, run: DiscoveryRun): Promise<void> {
  const before = run.discoveryId === null ? undefined : await store.runBefore(ctx, run)
  if (!before) return
  const covers = isRangeCovering(run)
  const isUnreachable = isRangeCovering({ entries: run.unreachable, exclusions: [] })
  const governor = new Governor(run.stops)
  const [earlier, now] = [await hostStore.foundHosts(ctx, before.id), await hostStore.foundHosts(ctx, run.id)]
  const survivorOf = await mergedAssets(
    ctx,
    [...earlier, ...now].flatMap(({ assetId }) => assetId ?? []),
  )
  const withSurvivor = <H extends { readonly assetId: string | null }>(host: H): H => ({
    ...host,
    assetId: host.assetId === null ? null : (survivorOf.get(host.assetId) ?? host.assetId),
  })
  const found = compareHosts(earlier.map(withSurvivor), now.map(withSurvivor))
  const gone = found.gone.filter(
    (address) => covers(address) && !isUnreachable(address) && governor.stopFor(address) === undefined,
  )
  await hostStore.noteChanges(ctx, run.id, found.changes)
  await hostStore.addGone(ctx, run.id, before.id, gone)
  const count = (change: string): number => found.changes.filter((it) => it.change === change).length
  await store.noteComparison(ctx, run.id, {
    comparedRunId: before.id,
    newHosts: count('new'),
    changedHosts: count('changed'),
    goneHosts: gone.length,
  })
}

export function summaryOf(run: DiscoveryRun): string {
  const { addressesTotal, hostsFound, loggedIn, refused, unanswered, notAsked, unreachable, stops } = run
  const parts = [
    `${addressesTotal} addresses, ${hostsFound} live`,
    `${loggedIn} logged in`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
    ...(notAsked > 0 ? [`${notAsked} not asked`] : []),
    ...(stops.length > 0 ? [stopsText(stops, ({ at }) => at)] : []),
    ...(unreachable.length > 0 ? [`no route to ${unreachable.join(' and ')}`] : []),
  ]
  return parts.join(', ')
}
