import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { keysOfFormer, keyWhenFormer, mergeIntoHolders } from './address-holders.ts'
import type { ValidObservation } from './merge-observations.ts'
import { observedByKey } from './observation-read-store.ts'
import type { KnownSource, ObservationRecord } from './observation-record.ts'
import { changeKeys } from './observation-write-store.ts'

export interface MergedObservation {
  readonly reports: readonly ValidObservation[]
  readonly known: ObservationRecord | undefined
  readonly observed: ObservationRecord
}

/** An address that the reports of a batch say to have another holder. */
export interface Passed {
  readonly sourceKey: string
  /** The stored record, or a new one of the first report. */
  readonly record: ObservationRecord
  readonly known: ObservationRecord | undefined
  readonly first: ValidObservation
  /** Those that are not in the record. */
  readonly reports: readonly ValidObservation[]
}

/**
 * Merges reports of addresses that passed to another machine. The record of the latest holder gets the key of the source,
 * so that the next report finds it; the keys of the others say whose they were.
 */
export async function mergePassedAddresses(
  ctx: Ctx,
  source: KnownSource,
  passed: readonly Passed[],
): Promise<MergedObservation[]> {
  const wanted = passed.flatMap(({ sourceKey, record, reports }) => [
    ...reports.flatMap((report) => keysOfFormer(sourceKey, report)),
    keyWhenFormer(sourceKey, record, new Set()),
  ])
  const former = await observedByKey(ctx, source, [...new Set(wanted)])
  const merged = passed.flatMap((each) => mergeOne(ctx, each, former))
  const moved = merged.filter(({ known, observed }) => known && known.sourceKey !== observed.sourceKey)
  // whoever leaves the key of the source goes first: two records never have one key
  const keys = new Set(passed.map(({ sourceKey }) => sourceKey))
  const leaving = moved.filter(({ known }) => known && keys.has(known.sourceKey))
  await changeKeys(
    ctx,
    leaving.map(({ observed }) => observed),
  )
  await changeKeys(
    ctx,
    moved.filter((each) => !leaving.includes(each)).map(({ observed }) => observed),
  )
  return merged.filter(({ known, observed }) => known !== observed)
}

function mergeOne(
  ctx: Ctx,
  { sourceKey, record, known: before, first, reports }: Passed,
  former: readonly ObservationRecord[],
): MergedObservation[] {
  const formerHere = former.filter((each) => each.sourceKey.startsWith(`${sourceKey}#`))
  const stored = new Map([...(before ? [before] : []), ...formerHere].map((each) => [each.id, each]))
  const reportsOf = new Map<string, ValidObservation[]>(before ? [] : [[record.id, [first]]])
  let holders: ObservationRecord[] = [record, ...formerHere]
  for (const report of reports) {
    const earlier = new Map(holders.map((each) => [each.id, each]))
    holders = mergeIntoHolders(holders, report, () => newUuid(ctx.now()))
    for (const each of holders)
      if (earlier.get(each.id) !== each) reportsOf.set(each.id, [...(reportsOf.get(each.id) ?? []), report])
  }
  const taken = new Set(formerHere.map((each) => each.sourceKey))
  return holders.map((each, index) => {
    const known = stored.get(each.id)
    const isFormerAlready = known !== undefined && known.sourceKey !== sourceKey
    const key =
      index === 0 ? sourceKey : isFormerAlready ? known.sourceKey : keyWhenFormer(sourceKey, each, taken)
    return {
      reports: reportsOf.get(each.id) ?? [],
      known,
      observed: each.sourceKey === key ? each : { ...each, sourceKey: key },
    }
  })
}
