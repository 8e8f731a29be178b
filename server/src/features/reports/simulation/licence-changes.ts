import { textIn, type Row } from '#platform/conditions/field.ts'
import type { listEntitlements } from '#features/records/records.ts'
import type { Ctx } from '#platform/context.ts'
import { partsOfSystems } from '../kinds/audit/asset-details-store.ts'
import * as store from '../kinds/software-license-store.ts'
import { isNamed, licencePosition, type LicencePosition } from '../licences/licence-position.ts'
import { softwareOf, type After } from './row-after.ts'

/** What a change does to the position of each product with an entitlement, over the whole organisation. */
export interface LicenceChange {
  readonly before: LicencePosition
  readonly after: LicencePosition
}

type Entitlements = Awaited<ReturnType<typeof listEntitlements>>

interface Lost {
  assets: number
  cores: number
  /** One of them has a number of cores that is not known. */
  isUnknown: boolean
}

const isPart = new Set<string>(partsOfSystems)

/** Counts the assets that no longer have a product. A replacement takes over what was installed. */
export class LicenceChanges {
  readonly #positions: readonly Entitlements[]
  readonly #lost: readonly Lost[]
  /** Numbers of the positions that software of the name counts for. */
  readonly #named = new Map<string, readonly number[]>()

  constructor(entitlements: Entitlements) {
    const groups = Map.groupBy(entitlements, (it) => JSON.stringify([it.product, it.vendor, it.metric]))
    this.#positions = [...groups.values()]
    this.#lost = this.#positions.map(() => ({ assets: 0, cores: 0, isUnknown: false }))
  }

  add(row: Row, after: After): void {
    if (after.effect !== 'retired' && after.effect !== 'removed') return
    const left = after.effect === 'retired' ? new Set<number>() : this.#heldBy(after.row)
    for (const at of this.#heldBy(row)) {
      const lost = this.#lost[at]
      if (!lost || left.has(at)) continue
      lost.assets += 1
      if (typeof row['cpu_count'] === 'number') lost.cores += row['cpu_count']
      else lost.isUnknown = true
    }
  }

  /** Reads the positions of the organisation as they are. */
  async results(ctx: Ctx): Promise<LicenceChange[]> {
    if (this.#positions.length === 0) return []
    const day = ctx.now().toISOString().slice(0, 10)
    const everything = { ctx, assetIds: undefined }
    const [names, systems] = [await store.names(everything), await store.systems(everything)]
    const changes: LicenceChange[] = []
    for (const [at, entitled] of this.#positions.entries()) {
      const product = entitled[0]?.product ?? ''
      const isMeant = (it: string) => isNamed(product, it)
      const of = { names: names.filter(isMeant), systems: systems.filter(isMeant) }
      const { assets, cores } = await store.holders(everything, of)
      const lost = this.#lost[at] ?? { assets: 0, cores: 0, isUnknown: false }
      const isKnown = cores !== null && !lost.isUnknown
      const left = {
        assets: Math.max(0, assets - lost.assets),
        cores: isKnown ? Math.max(0, cores - lost.cores) : undefined,
      }
      changes.push({
        before: licencePosition(entitled, { assets, cores: cores ?? undefined }, day),
        after: licencePosition(entitled, left, day),
      })
    }
    return changes
  }

  #heldBy(row: Row): Set<number> {
    const names = (softwareOf(row) ?? []).flatMap((it) =>
      isPart.has(textIn(it, 'origin')) ? [] : textIn(it, 'name'),
    )
    return new Set([...names, textIn(row, 'os')].flatMap((it) => this.#positionsNamed(it)))
  }

  #positionsNamed(name: string): readonly number[] {
    const known = this.#named.get(name)
    if (known) return known
    const found = this.#positions.flatMap((it, at) => (isNamed(it[0]?.product ?? '', name) ? at : []))
    this.#named.set(name, found)
    return found
  }
}
