import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx, type Trial } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import { isWaiting } from '../recognition/recognition-backlog-store.ts'
import { archiveAssets, recordAbout } from './archive-changes.ts'
import type { ArchiveRule } from './archive-rule.ts'
import * as store from './archive-rule-store.ts'

/** Rules by which assets are archived that no source has seen for long. A tenant has none until somebody sets one. */

const DAYS_MAX = 3_650
const RULES_MAX = 100
const KIND = /^[a-z][a-z0-9_-]{0,62}$/
const ASSETS_AT_ONCE = 500
const BATCHES_TRIED_MAX = 20
const EVERY_MS = 3_600_000

export const archiveJob = job<Record<string, never>>('assets.archiveUnseen')

export async function listArchiveRules(ctx: Ctx): Promise<ArchiveRule[]> {
  permit(ctx, 'assets:read')
  return store.rules(ctx)
}

/** How many assets the rules would archive now. Writes nothing. */
export async function previewArchiveRules(ctx: Ctx, rules: readonly ArchiveRule[]): Promise<number> {
  permit(ctx, 'assets:read')
  const given = checked(rules)
  return given.length === 0 ? 0 : store.countOverdue(ctx, given)
}

/** Replaces the rules; none: nothing is archived by itself any more. They are applied at once and every hour. */
export async function setArchiveRules(ctx: Ctx, rules: readonly ArchiveRule[]): Promise<ArchiveRule[]> {
  permit(ctx, 'settings:write')
  const given = checked(rules)
  return atomically(ctx, async (inner) => {
    await lockTenant(inner)
    const before = await store.rules(inner)
    await store.replaceRules(inner, given)
    const after = await store.rules(inner)
    await record(inner, 'archive_rules.set', { type: 'archive_rules', id: '' }, { before, after })
    if (after.length > 0) await (inner.trial ? tryRules(inner, inner.trial) : enqueue(inner, archiveJob, {}))
    return after
  })
}

function checked(rules: readonly ArchiveRule[]): readonly ArchiveRule[] {
  if (rules.length > RULES_MAX) throw invalid('rules', `are more than ${RULES_MAX}`)
  const kinds = new Set(rules.map(({ sourceKind }) => sourceKind))
  if (kinds.size < rules.length) throw invalid('rules', 'name a kind of source twice')
  for (const { sourceKind, days } of rules) {
    if (sourceKind !== '' && !KIND.test(sourceKind)) throw invalid('sourceKind', 'is no kind of source')
    if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX)
      throw invalid('days', `must be a whole number, 1 to ${DAYS_MAX}`)
  }
  return rules
}

/** Worker: archives what is overdue, 500 assets a transaction; the next run waits before this one begins. */
export async function archiveUnseen(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const isWanted = await atomically(ctx, async (inner) => {
    await lockTenant(inner)
    if ((await store.rules(inner)).length === 0) return false
    const next = new Date(inner.now().getTime() + EVERY_MS)
    if (!(await isWaiting(inner, archiveJob.name))) await enqueue(inner, archiveJob, {}, next)
    return true
  })
  for (let isMore = isWanted; isMore && !signal?.aborted;) isMore = await atomically(ctx, archiveBatch)
}

/** What the job would do, up to 10,000 assets. */
async function tryRules(ctx: Ctx, trial: Trial): Promise<void> {
  for (let n = 0; n < BATCHES_TRIED_MAX; n += 1) if (!(await archiveBatch(ctx))) return
  trial.isPartial = true
}

async function archiveBatch(ctx: Ctx): Promise<boolean> {
  await lockTenant(ctx)
  const rules = await store.rules(ctx)
  if (rules.length === 0) return false
  const ids = await store.someOverdue(ctx, rules, ASSETS_AT_ONCE)
  const archived = await archiveAssets(
    ctx,
    ids.map((id) => ({ id, at: ctx.now(), by: 'rule' })),
  )
  await recordAbout(ctx, 'asset.archived', archived, { by: 'rule' })
  return ids.length === ASSETS_AT_ONCE
}
