import { record } from '#features/audit/audit.ts'
import { userNames } from '#features/tenancy/tenancy.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import type { SavedView } from './saved-view.ts'
import * as store from './saved-views-store.ts'

const NAME_LENGTH_MAX = 100
const VIEW_LENGTH_MAX = 8_192
const VIEWS_MAX = 200

/** What everybody sees as a tab. */
const SHARED_MAX = 50

/** The views of the calling person and those that others share, by name; of all lists unless one is named. */
export async function listViews(ctx: Ctx, subject?: string): Promise<SavedView[]> {
  if (subject !== undefined) mayAsk(ctx, subject)
  return named(ctx, await store.views(ctx, subject === undefined ? readable(ctx) : [subject]))
}

/** Of what the person may read; throws 403 if that is no list at all. */
function readable(ctx: Ctx): string[] {
  const { subjects } = ctx.conditions
  const found = Object.keys(subjects).filter((it) => ctx.actor.may(subjects[it] ?? ''))
  if (found.length === 0) mayAsk(ctx, 'asset')
  return found
}

function mayAsk(ctx: Ctx, subject: string): void {
  const permission = ctx.conditions.subjects[subject]
  if (permission === undefined) throw invalid('subject', 'there is no such list')
  permit(ctx, permission)
}

/** What everybody sees is decided by who may change what the list is of. */
function sharingPermission(ctx: Ctx, subject: string): string {
  return (ctx.conditions.subjects[subject] ?? '').replace(/:read$/, ':write')
}

export interface NewView extends Pick<SavedView, 'name' | 'view'> {
  /** `asset` unless given. */
  readonly subject?: string
  /** Absent: as it was. What is shared is written with the permission to write what the list is of, as `flows:write`. */
  readonly isShared?: boolean
}

/**
 * Replaces the person's view of the same name. Throws 400, which names `view.where`, for a condition that cannot be
 * read.
 */
export async function saveView(
  ctx: Ctx,
  { subject = 'asset', name, view, isShared }: NewView,
): Promise<SavedView> {
  mayAsk(ctx, subject)
  if (isShared !== undefined) permit(ctx, sharingPermission(ctx, subject))
  const trimmed = checkedName('name', name, NAME_LENGTH_MAX)
  if ((JSON.stringify(view) ?? '').length > VIEW_LENGTH_MAX)
    throw invalid('view', `is longer than ${VIEW_LENGTH_MAX} characters`)
  const { condition, rest } = withoutCondition(view)
  return atomically(ctx, async (inner) => {
    if (condition !== null) readCondition(await inner.conditions.on(inner, subject), 'view.where', condition)
    const wasShared = await store.isShared(inner, { subject, name: trimmed })
    // who lost the permission changes nothing of what everybody sees
    if (wasShared) permit(inner, sharingPermission(inner, subject))
    if (isShared && (await store.countShared(inner, { subject, name: trimmed })) >= SHARED_MAX)
      throw invalid('isShared', `there are ${SHARED_MAX} shared views already; delete one first`)
    const stored = {
      id: newUuid(inner.now()),
      subject,
      name: trimmed,
      view: rest,
      condition,
      isShared: isShared ?? wasShared,
    }
    const saved = await store.save(inner, stored, VIEWS_MAX)
    if (!saved) throw invalid('name', `there are ${VIEWS_MAX} views already; delete one first`)
    const about = {
      name: trimmed,
      ...(subject !== 'asset' && { subject }),
      ...(saved.isShared && { isShared: true }),
    }
    await record(inner, 'view.saved', { type: 'view', id: saved.id }, about)
    const { userId: _, ...own } = saved
    return { ...own, sharedBy: null }
  })
}

async function named(ctx: Ctx, views: readonly store.ListedView[]): Promise<SavedView[]> {
  const others = views.filter(({ isOwn }) => !isOwn).map(({ userId }) => userId)
  const names = await userNames(ctx, others)
  return views.map(({ userId, ...view }) => ({
    ...view,
    sharedBy: view.isOwn ? null : (names.get(userId) ?? null),
  }))
}

/** The condition is stored apart, as one that later versions of the language can read. */
function withoutCondition(view: unknown): { readonly condition: string | null; readonly rest: unknown } {
  if (typeof view !== 'object' || view === null || Array.isArray(view)) return { condition: null, rest: view }
  const { where, ...rest } = view as Readonly<Record<string, unknown>>
  return typeof where === 'string' && where.trim() !== ''
    ? { condition: where.trim(), rest }
    : { condition: null, rest: view }
}

/**
 * One's own, while it is shared with the permission to share it; with `settings:write` also what others share. Of lists
 * that the person may read.
 */
export async function deleteView(ctx: Ctx, id: string): Promise<void> {
  const subjects = readable(ctx)
  const ofShared = subjects.filter((it) => ctx.actor.may(sharingPermission(ctx, it)))
  const of = { subjects, ofShared, andShared: ctx.actor.may('settings:write') }
  await atomically(ctx, async (inner) => {
    const name = isUuid(id) ? await store.remove(inner, id, of) : undefined
    if (name === undefined) throw notFound('view')
    await record(inner, 'view.deleted', { type: 'view', id }, { name })
  })
}
