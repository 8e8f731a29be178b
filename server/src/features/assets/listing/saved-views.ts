import { record } from '#features/audit/audit.ts'
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

/** The views of the calling person, by name. */
export async function listViews(ctx: Ctx): Promise<SavedView[]> {
  permit(ctx, 'assets:read')
  return store.views(ctx)
}

/** Replaces a view of the same name. Throws 400, which names `view.where`, for a condition that cannot be read. */
export async function saveView(ctx: Ctx, { name, view }: Omit<SavedView, 'id'>): Promise<SavedView> {
  permit(ctx, 'assets:read')
  const trimmed = checkedName('name', name, NAME_LENGTH_MAX)
  if ((JSON.stringify(view) ?? '').length > VIEW_LENGTH_MAX)
    throw invalid('view', `is longer than ${VIEW_LENGTH_MAX} characters`)
  const { condition, rest } = withoutCondition(view)
  return atomically(ctx, async (inner) => {
    if (condition !== null) readCondition(await inner.conditions.on(inner, 'asset'), 'view.where', condition)
    const stored = { id: newUuid(inner.now()), name: trimmed, view: rest, condition }
    const saved = await store.save(inner, stored, VIEWS_MAX)
    if (!saved) throw invalid('name', `there are ${VIEWS_MAX} views already; delete one first`)
    await record(inner, 'view.saved', { type: 'view', id: saved.id }, { name: trimmed })
    return saved
  })
}

/** The condition is stored apart, as one that later versions of the language can read. */
function withoutCondition(view: unknown): { readonly condition: string | null; readonly rest: unknown } {
  if (typeof view !== 'object' || view === null || Array.isArray(view)) return { condition: null, rest: view }
  const { where, ...rest } = view as Readonly<Record<string, unknown>>
  return typeof where === 'string' && where.trim() !== ''
    ? { condition: where.trim(), rest }
    : { condition: null, rest: view }
}

export async function deleteView(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:read')
  await atomically(ctx, async (inner) => {
    const name = isUuid(id) ? await store.remove(inner, id) : undefined
    if (name === undefined) throw notFound('view')
    await record(inner, 'view.deleted', { type: 'view', id }, { name })
  })
}
