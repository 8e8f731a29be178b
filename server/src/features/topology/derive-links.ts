import { atomically, type Ctx } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { linksFromFacts, type ReportedLink } from './links-from-facts.ts'
import * as store from './link-store.ts'

const OBSERVATIONS_PER_COMMIT = 200

/**
 * Derives the links of the tenant from the facts of all its observations, and deletes those that are no longer
 * reported. Safe to repeat; a run that is cut short deletes nothing. Answers how many links there are.
 */
export async function deriveLinks(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  const derivedAt = ctx.now()
  let count = 0
  for (let after = NIL_UUID; ;) {
    if (signal?.aborted) return count
    const batch = await store.linkingObservations(ctx, after, OBSERVATIONS_PER_COMMIT)
    const last = batch.at(-1)
    if (!last) break
    after = last.id
    count += await atomically(ctx, (inner) => deriveBatch(inner, batch, derivedAt))
  }
  await store.removeOlder(ctx, derivedAt)
  return count
}

async function deriveBatch(
  ctx: Ctx,
  batch: readonly store.LinkingObservation[],
  derivedAt: Date,
): Promise<number> {
  const reported = batch.map((observation) => ({ observation, links: linksFromFacts(observation.facts) }))
  const find = await finder(
    ctx,
    reported.flatMap(({ links }) => links),
  )
  const links = new Map<string, store.NewLink>()
  for (const { observation, links: all } of reported) {
    for (const link of all) {
      const bAsset = find(link, observation.assetId)
      // an address in a table is worth a link only between two known assets
      if (bAsset === null && (link.kind === 'fdb' || link.kind === 'arp')) continue
      const { assetId: aAsset, id: observationId, lastSeen: seenAt } = observation
      const { kind, port: aPort, text: bText, otherPort: bPort, vlan, bitsPerSecond } = link
      links.set(JSON.stringify([aAsset, kind, aPort, bText]), {
        aAsset,
        aPort,
        kind,
        bText,
        bAsset,
        bPort,
        vlan,
        bitsPerSecond,
        observationId,
        seenAt,
      })
    }
  }
  await store.writeLinks(ctx, [...links.values()], derivedAt)
  return links.size
}

/** Finds the one asset that has a value of the other end; null when there is none, or several, or it is itself. */
async function finder(
  ctx: Ctx,
  links: readonly ReportedLink[],
): Promise<(link: ReportedLink, ownId: string) => string | null> {
  const values = links.flatMap(({ macs, names, addresses }) => [...macs, ...names, ...addresses])
  const hosts = links.flatMap(({ kind, names }) => (kind === 'vm_on_host' ? names : []))
  const holders = values.length === 0 ? [] : await store.holdersOf(ctx, [...new Set(values)])
  const named = hosts.length === 0 ? [] : await store.hypervisorsNamed(ctx, [...new Set(hosts)])
  const assetsOf = Map.groupBy([...holders, ...named], ({ type, value }) => `${type} ${value}`)
  const one = (types: readonly string[], wanted: readonly string[], ownId: string): string | undefined => {
    for (const value of wanted) {
      const ids = new Set(
        types.flatMap((type) => (assetsOf.get(`${type} ${value}`) ?? []).map(({ assetId }) => assetId)),
      )
      const [id] = ids
      if (ids.size === 1 && id !== undefined && id !== ownId) return id
    }
    return undefined
  }
  return ({ kind, macs, names, addresses }, ownId) =>
    one(['chassis_id', 'mac'], macs, ownId) ??
    one(kind === 'vm_on_host' ? ['name'] : ['hostname'], names, ownId) ??
    one(['hostname'], names, ownId) ??
    one(['ip'], addresses, ownId) ??
    null
}
