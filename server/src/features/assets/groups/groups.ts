import { difference, record } from '#features/audit/audit.ts'
import { sendSignal } from '#features/events/events.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import type { AssetGroup } from './group.ts'
import { usesOf, type GroupUse } from './group-uses.ts'
import * as store from './group-store.ts'

/** Groups: conditions with a name, which other conditions ask about as `group = NAME`. */

const NAME_LENGTH_MAX = 100
const DESCRIPTION_LENGTH_MAX = 1_000
/** All of them are read with each condition of the tenant. */
const GROUPS_MAX = 500

/** In the order of their names. */
export async function listGroups(ctx: Ctx): Promise<AssetGroup[]> {
  permit(ctx, 'assets:read')
  return store.groups(ctx)
}

export interface GroupInput {
  readonly name: string
  readonly condition: string
  readonly description?: string | undefined
}

/**
 * Throws 400, which names `condition`, for what cannot be read, and for a condition that asks about the group itself,
 * also by way of other groups.
 */
export async function createGroup(ctx: Ctx, input: GroupInput): Promise<AssetGroup> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    if ((await store.lockGroups(inner)).length >= GROUPS_MAX)
      throw conflict(`there are ${GROUPS_MAX} groups already`)
    const group = await write(inner, newUuid(inner.now()), input)
    const { name, condition } = group
    await record(inner, 'asset_group.created', { type: 'asset_group', id: group.id }, { name, condition })
    return group
  })
}

/** What is not given stays. Stored conditions go on finding it by the names that it had. */
export async function updateGroup(ctx: Ctx, id: string, change: Partial<GroupInput>): Promise<AssetGroup> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const before = among(await store.lockGroups(inner), id)
    const { name = before.name, condition = before.condition, description = before.description } = change
    const after = await write(inner, id, { name, condition, description })
    const changed = difference(fieldsOf(before), fieldsOf(after))
    if (Object.keys(changed.after).length > 0)
      await record(inner, 'asset_group.changed', { type: 'asset_group', id }, { name, ...changed })
    return after
  })
}

/**
 * Refused while another group, a role or an API key asks about it: whoever is limited by a condition that cannot be
 * read sees nothing. Other conditions say themselves that they cannot be read any more.
 */
export async function deleteGroup(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    const all = await store.lockGroups(inner)
    const { name } = among(all, id)
    const uses = (await usesOf(inner, all)).filter((it) => it.groupId === id && HELD_BY.has(it.kind))
    const [use, ...others] = uses
    if (use) throw conflict(`${whatAsks(use, others.length)} about it: change that first`)
    await store.removeGroup(inner, id)
    if (inner.trial) await sendSignal(inner, 'conditions.shrunk', { names: [name] })
    await record(inner, 'asset_group.deleted', { type: 'asset_group', id }, { name })
  })
}

const HELD_BY: ReadonlySet<string> = new Set(['group', 'role', 'api_key'])

function whatAsks({ kind, name }: GroupUse, others: number): string {
  const first = `the ${kind.replaceAll('_', ' ').replace('api', 'API')}${name === '' ? '' : ` ${name}`}`
  return others === 0 ? `${first} asks` : `${first} and ${others} more ask`
}

async function write(ctx: Ctx, id: string, input: GroupInput): Promise<AssetGroup> {
  const group: AssetGroup = {
    id,
    name: checkedName('name', input.name, NAME_LENGTH_MAX),
    description: input.description
      ? checkedName('description', input.description, DESCRIPTION_LENGTH_MAX)
      : '',
    condition: input.condition.trim(),
    changedAt: ctx.now().toISOString(),
  }
  if (!(await store.writeGroup(ctx, group))) throw conflict(`name: there is a group ${group.name} already`)
  const subject = await ctx.conditions.on(ctx, 'asset')
  readCondition(subject, 'condition', group.condition)
  // read by its name, so that what leads back to it is found
  readCondition(subject, 'condition', `group = ${JSON.stringify(group.name)}`)
  return group
}

function among(all: readonly AssetGroup[], id: string): AssetGroup {
  const group = isUuid(id) ? all.find((it) => it.id === id) : undefined
  if (!group) throw notFound('group')
  return group
}

const fieldsOf = ({ name, condition, description }: AssetGroup) => ({ name, condition, description })
