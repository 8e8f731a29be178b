import { difference, record } from '#features/audit/audit.ts'
import { sendSignal } from '#features/events/events.ts'
import { checkedName, refuseUnprintable } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { customFieldKinds, type CustomField } from './custom-field.ts'
import { customFieldKey, renamed } from './custom-field-key.ts'
import * as store from './custom-field-store.ts'
import { clearValues } from './custom-values.ts'
import { lockTenant } from '../intake/observation-read-store.ts'

/** Fields that the tenant defines for its assets. */

const NAME_LENGTH_MAX = 100
const FIELDS_MAX = 500
const CHOICES_MAX = 200
const CHOICE_LENGTH_MAX = 200
const ASSETS_PER_COMMIT = 1_000
const TRIED_MAX = 10_000

export interface NewCustomField extends Pick<CustomField, 'name' | 'kind'> {
  readonly choices?: readonly string[] | null | undefined
}

/** Behind the fields that there are. */
export async function defineCustomField(ctx: Ctx, input: NewCustomField): Promise<CustomField> {
  permit(ctx, 'assets:write')
  const { kind } = input
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  if (!customFieldKinds.includes(kind)) throw invalid('kind', `is none of ${customFieldKinds.join(', ')}`)
  const choices = checkedChoices(kind, input.choices ?? null)
  return atomically(ctx, async (inner) => {
    const known = await store.fields(inner)
    if (known.length >= FIELDS_MAX) throw conflict(`there are ${FIELDS_MAX} custom fields already`)
    const key = customFieldKey(name, known)
    const id = newUuid(inner.now())
    const field = await store.addField(inner, { id, name, key, aliases: [], kind, choices })
    if (!field) throw taken(name)
    const subject = { type: 'custom_field', id: field.id }
    await record(inner, 'custom_field.defined', subject, { name, kind, ...(choices && { choices }) })
    return field
  })
}

/** In the order that people gave them. */
export async function listCustomFields(ctx: Ctx): Promise<CustomField[]> {
  permit(ctx, 'assets:read')
  return store.fields(ctx)
}

export interface CustomFieldChange {
  readonly name?: string | undefined
  /** Null: any value. Values that assets have stay, also when they are no choice any more. */
  readonly choices?: readonly string[] | null | undefined
}

/** What is not given stays. The kind of a field never changes. Emits no events: the values are as they were. */
export async function updateCustomField(
  ctx: Ctx,
  id: string,
  change: CustomFieldChange,
): Promise<CustomField> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const before = await locked(inner, id)
    const name = change.name === undefined ? before.name : checkedName('name', change.name, NAME_LENGTH_MAX)
    const choices =
      change.choices === undefined ? before.choices : checkedChoices(before.kind, change.choices)
    const others = (await store.fields(inner)).filter((it) => it.id !== id)
    if (others.some((it) => it.name === name)) throw taken(name)
    const after: CustomField = { ...(name === before.name ? before : renamed(before, name, others)), choices }
    const changed = difference<CustomField>(before, after)
    if (Object.keys(changed.after).length === 0) return before
    await store.changeField(inner, after)
    await record(inner, 'custom_field.changed', { type: 'custom_field', id }, { name, ...changed })
    return after
  })
}

/** Lists the fields in this order from now on. `ids` names all of them. */
export async function orderCustomFields(ctx: Ctx, ids: readonly string[]): Promise<CustomField[]> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const known = await store.fields(inner)
    if (!ids.every((id) => known.some((it) => it.id === id))) throw notFound('custom field')
    if (new Set(ids).size !== ids.length || ids.length !== known.length)
      throw conflict('ids: must name every custom field once')
    await store.orderFields(inner, ids)
    const after = await store.fields(inner)
    const names = after.map(({ name }) => name)
    await record(inner, 'custom_field.ordered', { type: 'custom_field', id: '' }, { name: names.join(', ') })
    return after
  })
}

/**
 * Clears the field on every asset that has it, some assets a commit, each with its event; then deletes it. What a crash
 * cuts short, a second call completes.
 */
export async function deleteCustomField(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  for (let done = 0, isDone = false; !isDone; done += ASSETS_PER_COMMIT) {
    isDone = await atomically(ctx, async (inner) => {
      await lockTenant(inner)
      const field = await locked(inner, id)
      const assetIds = await store.someWithField(inner, id, ASSETS_PER_COMMIT)
      await clearValues(inner, field, assetIds)
      const isMore = assetIds.length === ASSETS_PER_COMMIT
      if (isMore && !isEnoughTried(inner, done + ASSETS_PER_COMMIT)) return false
      await store.removeField(inner, id)
      if (inner.trial) await sendSignal(inner, 'conditions.shrunk', { names: [`custom.${field.key}`] })
      await record(inner, 'custom_field.deleted', { type: 'custom_field', id }, { name: field.name })
      return true
    })
  }
}

/** A try looks at the first assets only, and says so. */
function isEnoughTried({ trial }: Ctx, assets: number): boolean {
  if (!trial || assets < TRIED_MAX) return false
  trial.isPartial = true
  return true
}

async function locked(ctx: Ctx, id: string): Promise<CustomField> {
  const field = isUuid(id) ? await store.lockField(ctx, id) : undefined
  if (!field) throw notFound('custom field')
  return field
}

const taken = (name: string) => conflict(`name: there is a custom field ${name}`)

function checkedChoices(kind: CustomField['kind'], choices: readonly string[] | null): string[] | null {
  if (choices === null || choices.length === 0) return null
  if (kind !== 'text') throw invalid('choices', 'are for fields of the kind text')
  const distinct = [...new Set(choices.map((choice) => choice.trim()))]
  if (distinct.length > CHOICES_MAX) throw invalid('choices', `are more than ${CHOICES_MAX}`)
  for (const choice of distinct) {
    if (choice === '' || choice.length > CHOICE_LENGTH_MAX)
      throw invalid('choices', `each must have 1 to ${CHOICE_LENGTH_MAX} characters`)
    refuseUnprintable('choices', choice)
  }
  return distinct
}
