import { isLimited, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { adoptions } from './adoption-store.ts'
import { controlOf, frameworkOf } from './catalogue/catalogue.ts'
import { allChecks } from './checks/all-checks.ts'
import { askedFacts, type AskedFact } from './checks/asked-facts.ts'
import type { CheckSetting } from './checks/check-setting.ts'
import { settingsOf } from './checks/check-setting-store.ts'
import type { UpgradedField } from './checks/copied-check.ts'
import { upgradeOf } from './checks/copies.ts'
import { controlStates, monthsOf, type MonthOfFramework } from './evaluation/control-store.ts'
import { assetsNotInOrder } from './evaluation/control-assets-store.ts'
import { states, type AffectedAsset } from './evaluation/result-store.ts'
import { controlSql } from './exceptions/excepted-store.ts'
import type { ControlStatus } from './evaluation/status.ts'
import { judgedCheck, type JudgedCheck } from './judged-check.ts'

export type { MonthOfFramework } from './evaluation/control-store.ts'

/** What the screens of one check, one control and one framework show beside their summaries. */

export interface CheckDetail extends JudgedCheck {
  /** Of all frameworks. */
  readonly countsFor: readonly CountedControl[]
  /** Where it does not count as it says itself. */
  readonly settings: readonly CheckSetting[]
  /** The facts that its condition and freshness ask for, and what tells them. */
  readonly asks: readonly AskedFact[]
  /** What an upgrade of the product changed in the original of a copy. */
  readonly upgrade: readonly UpgradedField[]
}

export interface CountedControl {
  readonly framework: string
  readonly controlId: string
  readonly title: string
  /** Null: the framework is not adopted, or the actor is limited to some of the assets that it is judged over. */
  readonly status: ControlStatus | null
}

/**
 * What a check asks, what its last round found, and for which controls it counts. To who is limited to some assets, what
 * it found of these.
 */
export async function explainCheck(ctx: Ctx, id: string): Promise<CheckDetail> {
  permit(ctx, 'compliance:read')
  const check = (await allChecks(ctx)).find((it) => it.id === id)
  if (!check) throw notFound('check')
  const adopted = new Set((await adoptions(ctx)).map(({ framework }) => framework))
  const known = isLimited(ctx) ? undefined : await controlStates(ctx)
  const countsFor = Object.entries(check.controls).flatMap(([framework, ids]) =>
    ids.map((controlId): CountedControl => {
      const state = known?.find((it) => it.framework === framework && it.controlId === controlId)
      const status = known && adopted.has(framework) ? (state?.status ?? 'not_assessed') : null
      return { framework, controlId, title: controlOf(framework, controlId)?.title ?? '', status }
    }),
  )
  const state = (await states(ctx)).find(({ checkId }) => checkId === id)
  return {
    ...judgedCheck(check, state, { controlIds: [], now: ctx.now() }),
    countsFor,
    settings: await settingsOf(ctx, id),
    asks: askedFacts(await ctx.conditions.on(ctx, 'asset'), check),
    upgrade: await upgradeOf(ctx, check),
  }
}

/** Assets that any check of a control does not find in order, each once: those that fail first, by name. */
export async function listControlAssets(
  ctx: Ctx,
  page: Page,
  control: { readonly framework: string; readonly controlId: string },
): Promise<Listed<AffectedAsset>> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  if (!controlOf(control.framework, control.controlId)) throw notFound('control')
  const checks = (await allChecks(ctx)).filter((it) =>
    it.controls[control.framework]?.includes(control.controlId),
  )
  const { framework, controlId: id } = control
  return assetsNotInOrder(ctx, page, {
    checkIds: checks.map((it) => it.id),
    control: controlSql({ framework, id }),
  })
}

/** How the controls of a framework stood at the end of each of the last twelve months, the oldest first; then now. */
export async function listMonths(ctx: Ctx, slug: string): Promise<MonthOfFramework[]> {
  permit(ctx, 'compliance:read')
  if (!frameworkOf(slug)) throw notFound('framework')
  return monthsOf(ctx, slug)
}
