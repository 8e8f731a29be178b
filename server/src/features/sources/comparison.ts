import { compareSource, type ComparedAsset, type DifferentValue } from '#features/assets/assets.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { ConnectedSource } from './source.ts'
import * as store from './store.ts'

/** What a source and all others missed of the same estate. Archived assets are left out. */
export interface SourceComparison {
  /** Reported by the source and by others. */
  readonly shared: number
  readonly different: Listed<ComparedName & { readonly values: readonly DifferentValue[] }>
  /** Reported by the source alone. */
  readonly onlyThere: Listed<ComparedName>
  /** Of the types that the source reports, but not reported by it. */
  readonly onlyHere: Listed<ComparedName>
}

interface Listed<T> {
  readonly total: number
  /** The first of them, in the order of their ids. */
  readonly assets: readonly T[]
}

interface ComparedName {
  readonly id: string
  readonly name: string
}

export interface ComparedSource {
  readonly kind: string
  /** Where there are several of the kind. */
  readonly name?: string | undefined
}

/** Lists at most `listedMax` of each; stops between two stretches of the estate when the signal aborts. */
export async function compareWithSource(
  ctx: Ctx,
  { kind, name }: ComparedSource,
  { listedMax, signal }: { readonly listedMax: number; readonly signal?: AbortSignal | undefined },
): Promise<SourceComparison> {
  permit(ctx, 'assets:read')
  const { id } = await sourceOf(ctx, kind, name)
  let shared = 0
  const [different, onlyThere, onlyHere] = [
    new Counted<SourceComparison['different']['assets'][number]>(listedMax),
    new Counted<ComparedName>(listedMax),
    new Counted<ComparedName>(listedMax),
  ]
  const take = (asset: ComparedAsset): void => {
    const named = { id: asset.id, name: asset.name }
    if (asset.found === 'there') onlyThere.add(named)
    else if (asset.found === 'here') onlyHere.add(named)
    else {
      shared++
      if (asset.different.length > 0) different.add({ ...named, values: asset.different })
    }
  }
  for await (const some of compareSource(ctx, id)) {
    signal?.throwIfAborted()
    some.forEach(take)
  }
  return { shared, different: different.listed, onlyThere: onlyThere.listed, onlyHere: onlyHere.listed }
}

class Counted<T> {
  readonly #max: number
  readonly #assets: T[] = []
  #total = 0

  constructor(max: number) {
    this.#max = max
  }

  add(one: T): void {
    this.#total++
    if (this.#assets.length < this.#max) this.#assets.push(one)
  }

  get listed(): Listed<T> {
    return { total: this.#total, assets: this.#assets }
  }
}

async function sourceOf(ctx: Ctx, kind: string, name: string | undefined): Promise<ConnectedSource> {
  const all = (await store.sources(ctx)).filter((it) => it.kind === kind)
  const found = name === undefined ? all : all.filter((it) => it.name === name)
  const [one, ...others] = found
  if (!one) throw notFound('source')
  if (others.length > 0)
    throw invalid('name', `is needed: there are ${found.map((it) => JSON.stringify(it.name)).join(', ')}`)
  return one
}
