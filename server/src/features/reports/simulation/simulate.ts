import {
  checksInForce,
  exceptedAmong,
  simulateControls,
  type CountChange,
  type SimulatedCheck,
  type SimulatedControl,
} from '#features/compliance/compliance.ts'
import { listEntitlements } from '#features/records/records.ts'
import { assetsAtEndOfLife } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Vocabulary } from '#platform/conditions/field.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { subjectRows } from '#platform/conditions/subject-rows.ts'
import { minuteOf, readCondition } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import type { SimulatedChange } from './change.ts'
import { addCheckChanges, type ReadCheck } from './check-changes.ts'
import { LicenceChanges, type LicenceChange } from './licence-changes.ts'
import { replacementCosts, type ReplacementCosts } from './replacement-costs.ts'
import { rowAfter, type Knowledge } from './row-after.ts'
import { effectOn, type AssetEffect } from './simulation-totals.ts'

export interface Simulation {
  readonly change: SimulatedChange
  /** In the order of their ids. */
  readonly effects: readonly AssetEffect[]
  /** Names of the software that the change is about, and on how many of the assets each is. */
  readonly software: readonly { readonly name: string; readonly assets: number }[]
  readonly checks: readonly SimulatedCheck[]
  readonly controls: readonly SimulatedControl[]
  readonly licences: readonly LicenceChange[]
  /** Null: the change has no price. */
  readonly costs: ReplacementCosts | null
}

/** Rows come with all their software and findings. */
const AT_ONCE = 200

/**
 * What a change of these assets would do, worked out in memory from what is known now; nothing is written, not even for
 * a moment. `assetIds` are of living assets.
 */
export async function simulate(
  ctx: Ctx,
  change: SimulatedChange,
  assetIds: readonly string[],
): Promise<Simulation> {
  permitSimulation(ctx)
  const subject = await ctx.conditions.on(ctx, 'asset')
  const checks = (await checksInForce(ctx)).flatMap((it) => readCheck(subject, it) ?? [])
  const licences = new LicenceChanges(await listEntitlements(ctx))
  const [effects, changes, software] = [
    [] as AssetEffect[],
    new Map<string, CountChange>(),
    new Map<string, number>(),
  ]
  const compareVersion = versionOrder(subject.vocabulary)
  const now = minuteOf(ctx)
  const ids = assetIds.toSorted()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const rows = await subjectRows(ctx.db, subject, some)
    const ended = await assetsAtEndOfLife(ctx, some)
    const evaluating = { now, vocabulary: subject.vocabulary, excepted: await exceptedAmong(ctx, some) }
    for (const id of some) {
      const row = rows.get(id)
      if (!row) continue
      const after = rowAfter(row, change, { isEndOfLife: ended.has(id), compareVersion })
      effects.push(effectOn({ id, row, after }))
      licences.add(row, after)
      addCheckChanges(changes, checks, { id, row, after }, evaluating)
      if ('software' in after)
        for (const name of after.software) software.set(name, (software.get(name) ?? 0) + 1)
    }
  }
  return {
    change,
    effects,
    software: [...software].map(([name, assets]) => ({ name, assets })).sort(byCount),
    ...(await simulateControls(ctx, changes)),
    licences: await licences.results(ctx),
    costs: change.by === null ? null : await replacementCosts(ctx, ids, change.by),
  }
}

export function permitSimulation(ctx: Ctx): void {
  for (const permission of ['assets:read', 'vulnerabilities:read', 'compliance:read'] as const)
    permit(ctx, permission)
}

/** Undefined: it cannot be read, so no round could judge it either. */
function readCheck(
  subject: Subject,
  {
    id,
    scope,
    condition,
    freshness,
  }: {
    readonly id: string
    readonly scope: string
    readonly condition: string
    readonly freshness: string
  },
): ReadCheck | undefined {
  try {
    return {
      id,
      freshness: freshness === '' ? undefined : readCondition(subject, 'freshness', freshness),
      scope: scope.trim() === '' ? undefined : readCondition(subject, 'scope', scope),
      condition: readCondition(subject, 'condition', condition),
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function versionOrder({ collections }: Vocabulary): Knowledge['compareVersion'] {
  const fields = collections.find(({ name }) => name === 'software')?.fields ?? []
  const order = fields.find(({ name }) => name === 'version')?.compareVersion
  return (software, version) => order?.(software, version)
}

type Counted = Simulation['software'][number]

const byCount = (a: Counted, b: Counted): number => b.assets - a.assets || (a.name < b.name ? -1 : 1)
