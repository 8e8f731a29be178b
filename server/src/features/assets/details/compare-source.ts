import { permit, type Ctx } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { NO_EDITS, statementsOf } from '../attributes/asset-values.ts'
import { resolve, type Attributes } from '../attributes/source-precedence.ts'
import { bareName, vendorKey } from '../identity/identifiers.ts'
import { observedOfAssets } from '../intake/observation-read-store.ts'
import { attributesOf, type ObservationRecord } from '../intake/observation-record.ts'
import * as store from './compare-source-store.ts'

/** What a source and all others say of the same estate: what each side missed, and where they differ. */

const comparedAttributes = ['hostname', 'ipAddress', 'macAddress', 'serial', 'os', 'vendor', 'model'] as const
type ComparedAttribute = (typeof comparedAttributes)[number]

export interface DifferentValue {
  readonly attribute: ComparedAttribute
  /** What the source says. */
  readonly there: string
  /** The winner among all others. */
  readonly here: string
}

export type ComparedAsset =
  /** No other source reports it. */
  | (store.NamedAsset & { readonly found: 'there' })
  /** The source does not report it, though it reports others of its type. */
  | (store.NamedAsset & { readonly found: 'here' })
  /** Both report it; `different` is empty where they agree. */
  | (store.NamedAsset & { readonly found: 'both'; readonly different: readonly DifferentValue[] })

const AT_ONCE = 500

/** Every living asset that belongs into the comparison with the source, a few hundred at a time. */
export async function* compareSource(ctx: Ctx, sourceId: string): AsyncIterable<readonly ComparedAsset[]> {
  permit(ctx, 'assets:read')
  for await (const some of stretches(ctx, sourceId, store.onlyOfSource))
    yield some.map((it) => ({ ...it, found: 'there' }))
  const types = await store.typesOfSource(ctx, sourceId)
  const ofTypes: typeof store.onlyOfSource = (inner, stretch) => store.notOfSource(inner, stretch, types)
  for await (const some of stretches(ctx, sourceId, ofTypes))
    yield some.map((it) => ({ ...it, found: 'here' }))
  for await (const some of stretches(ctx, sourceId, store.alsoOfSource))
    yield withDifferences(some, await observationsOf(ctx, some), sourceId)
}

async function* stretches(
  ctx: Ctx,
  sourceId: string,
  read: typeof store.onlyOfSource,
): AsyncIterable<readonly store.NamedAsset[]> {
  let after = NIL_UUID
  for (;;) {
    const some = await read(ctx, { sourceId, after, limit: AT_ONCE })
    if (some.length > 0) yield some
    if (some.length < AT_ONCE) return
    after = some.at(-1)?.id ?? after
  }
}

const observationsOf = (ctx: Ctx, assets: readonly store.NamedAsset[]) =>
  observedOfAssets(
    ctx,
    assets.map(({ id }) => id),
  )

function withDifferences(
  assets: readonly store.NamedAsset[],
  observations: readonly ObservationRecord[],
  sourceId: string,
): ComparedAsset[] {
  const byAsset = Map.groupBy(observations, ({ assetId }) => assetId)
  return assets.map((asset) => {
    const [theirs, ours] = parted(byAsset.get(asset.id) ?? [], ({ source }) => source.id === sourceId)
    return { ...asset, found: 'both', different: differencesOf(theirs, ours) }
  })
}

/** Where both say something and it is not the same; an address that the other side knows too is no difference. */
export function differencesOf(
  theirs: readonly ObservationRecord[],
  ours: readonly ObservationRecord[],
): DifferentValue[] {
  if (theirs.length === 0 || ours.length === 0) return []
  const there = resolve(statementsOf(theirs, NO_EDITS)).values
  const here = resolve(statementsOf(ours, NO_EDITS)).values
  return comparedAttributes.flatMap((attribute) => {
    const [a, b] = [there[attribute], here[attribute]]
    if (a === undefined || b === undefined || isSame(attribute, a, b)) return []
    return ours.some((it) => says(it, attribute, a)) ? [] : [{ attribute, there: a, here: b }]
  })
}

/** Any of what an observation says, such as the second of its addresses. */
function says(observation: ObservationRecord, attribute: ComparedAttribute, value: string): boolean {
  const type = identifierOf[attribute]
  const own: Attributes = attributesOf(observation)
  return (
    (own[attribute] !== undefined && isSame(attribute, own[attribute], value)) ||
    observation.current.some((it) => it.type === type && isSame(attribute, it.value, value))
  )
}

const identifierOf: Readonly<Partial<Record<ComparedAttribute, string>>> = {
  hostname: 'hostname',
  ipAddress: 'ip',
  macAddress: 'mac',
  serial: 'serial',
}

function isSame(attribute: ComparedAttribute, a: string, b: string): boolean {
  if (attribute === 'vendor') return (vendorKey(a) ?? a) === (vendorKey(b) ?? b)
  if (attribute === 'hostname') return bareName(a.toLowerCase()) === bareName(b.toLowerCase())
  const [x, y] = [a.trim().toLowerCase(), b.trim().toLowerCase()]
  // `Windows 11` and `Microsoft Windows 11 Pro` are two spellings of one thing
  const isWording = attribute === 'os' || attribute === 'model'
  return x === y || (isWording && (x.includes(y) || y.includes(x)))
}

function parted<T>(all: readonly T[], isFirst: (it: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((it) => !isFirst(it))]
}
