import type { Observation } from '#features/assets/observation.ts'
import type { Source } from '#features/sources/source.ts'
import { assetsOfKeys } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { TouchCounter, type Touch } from '../probes/touches/touch-counter.ts'
import * as store from './touch-store.ts'

/** Writes what one attempt at a scan does to devices, while it goes on and at its end. */
export interface TouchLedger {
  readonly counter: TouchCounter
  /** What was taken in tells which asset lives at which address. */
  readonly saw: (ctx: Ctx, observations: readonly Observation[]) => Promise<void>
  /** Writes the counts of devices that nothing is under way at. A failure is logged, not thrown, here and at the end. */
  readonly note: (ctx: Ctx) => Promise<void>
  /** Writes all that is left. */
  readonly end: (ctx: Ctx) => Promise<void>
}

/** How long connections may take to be closed at the end of a scan. */
const CLOSE_MS = 3_000

export function openLedger(ctx: Ctx, scanId: string, source: Source): TouchLedger {
  const counter = new TouchCounter(ctx.now)
  const assetOf = new Map<string, string>()
  const write = (inner: Ctx, taken: readonly Touch[]): Promise<void> =>
    store.addTouches(
      inner,
      scanId,
      taken.map((it) => ({ ...it, assetId: assetOf.get(it.address) ?? null })),
    )
  const notWritten = (error: unknown): void =>
    ctx.log.warn({ err: error, scan: scanId }, 'touches not written')
  return {
    counter,
    async saw(inner, observations) {
      const seen = observations.flatMap(({ identifiers, sourceKey }) => {
        const address = identifiers.find(({ type }) => type === 'ip')?.value
        return address === undefined ? [] : [{ address, sourceKey }]
      })
      const assets = await assetsOfKeys(
        inner,
        source,
        seen.map(({ sourceKey }) => sourceKey),
      )
      const found = new Map<string, string>()
      for (const { address, sourceKey } of seen) {
        const assetId = assets.get(sourceKey)
        if (assetId !== undefined) found.set(address, assetId)
      }
      for (const [address, assetId] of found) assetOf.set(address, assetId)
      await write(inner, counter.take())
      await store.nameAssets(inner, found)
    },
    note: (inner) => write(inner, counter.take()).catch(notWritten),
    end: async (inner) => write(inner, await counter.takeAll(CLOSE_MS)).catch(notWritten),
  }
}
