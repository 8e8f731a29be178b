/** Notice rules: what a person wants to be told about, where and when; and what waits for people. */
import { record } from '#features/audit/audit.ts'
import { eventTypes as allEventTypes, isEventType, type EventType } from '#features/events/events.ts'
import { checkedCondition } from '#features/flows/flows.ts'
import { getChannel, resubscribe, unsubscribedTopics } from '#features/notices/notices.ts'
import { atomically, isLimited, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import { isZone } from '#platform/jobs/schedule.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { kindsOpenTo, openItemKinds } from './open-items/all.ts'
import {
  DEFAULT_PREFERENCES,
  eventsOfOneAsset,
  digests,
  eventPermissions,
  type NewRule,
  type NoticeRule,
  type Preferences,
} from './rule.ts'
import { minutesOf, nextDigestAt } from './running/due-time.ts'
import { listen } from './running/on-event.ts'
import * as store from './rule-store.ts'

export { listOpenItems, type OpenItemGroup } from './open-items.ts'

const NAME_LENGTH_MAX = 100
const RULES_MAX = 50
const BEYOND_LIMIT = 'is about more than the assets that your role is limited to by its condition'
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** The actor's own, newest first. One that they unsubscribed from in a mail counts as off. */
export async function listRules(ctx: Ctx): Promise<NoticeRule[]> {
  permit(ctx, 'notices:read')
  if (ctx.actor.kind !== 'user') return []
  const rules = await store.ofPerson(ctx, ctx.actor.id)
  const me = { kind: 'member', id: ctx.actor.id } as const
  const left = await unsubscribedTopics(
    ctx,
    me,
    rules.map(({ id }) => `rule:${id}`),
  )
  return rules.map((rule) =>
    rule.channelId === null && left.has(`rule:${rule.id}`)
      ? { ...rule, active: false, disabledReason: 'you unsubscribed from it in a mail' }
      : rule,
  )
}

export async function createRule(ctx: Ctx, input: NewRule): Promise<NoticeRule> {
  const userId = person(ctx)
  return atomically(ctx, async (inner) => {
    if ((await store.ofPerson(inner, userId)).length >= RULES_MAX)
      throw conflict(`you can have ${RULES_MAX} rules; remove one first`)
    const checked = await checkedRule(inner, input)
    const id = newUuid(inner.now())
    await store.save(inner, { id, userId, ...checked })
    await listen(inner)
    await record(inner, 'notice_rule.created', subject(id), { name: checked.name })
    return existing(await store.lock(inner, userId, id))
  })
}

/** What is left out stays. Switching it on takes back an unsubscription from it. */
export async function updateRule(ctx: Ctx, id: string, changes: Partial<NewRule>): Promise<NoticeRule> {
  const userId = person(ctx)
  return atomically(ctx, async (inner) => {
    const before = existing(isUuid(id) ? await store.lock(inner, userId, id) : undefined)
    const checked = await checkedRule(inner, { ...before, ...changes })
    await store.save(inner, { id: before.id, userId, ...checked })
    await listen(inner)
    if (changes.active === true) await resubscribe(inner, { kind: 'member', id: userId }, `rule:${before.id}`)
    await record(inner, 'notice_rule.updated', subject(before.id), {
      name: checked.name,
      active: checked.active,
    })
    return existing(await store.lock(inner, userId, before.id))
  })
}

export async function deleteRule(ctx: Ctx, id: string): Promise<void> {
  const userId = person(ctx)
  await atomically(ctx, async (inner) => {
    if (!isUuid(id) || !(await store.remove(inner, userId, id))) throw notFound('notice rule')
    await listen(inner)
    await record(inner, 'notice_rule.deleted', subject(id))
  })
}

export async function getPreferences(ctx: Ctx): Promise<Preferences> {
  permit(ctx, 'notices:read')
  const [found] = ctx.actor.kind === 'user' ? await store.preferences(ctx, [ctx.actor.id]) : []
  return found ?? DEFAULT_PREFERENCES
}

/** What is left out stays. */
export async function setPreferences(ctx: Ctx, changes: Partial<Preferences>): Promise<Preferences> {
  const userId = person(ctx)
  const wanted = { ...(await getPreferences(ctx)), ...changes }
  checkPreferences(wanted)
  const { zone, quietFrom, quietUntil, digestHour, hasSummary } = wanted
  await store.savePreferences(ctx, {
    userId,
    zone,
    quietFrom: quietFrom === null ? null : minutesOf(quietFrom),
    quietUntil: quietUntil === null ? null : minutesOf(quietUntil),
    digestHour,
    nextSummaryAt: hasSummary ? nextDigestAt(ctx.now(), wanted) : null,
  })
  return getPreferences(ctx)
}

export interface NoticeSubject {
  readonly name: string
  readonly title: string
  readonly isEvent: boolean
}

/** What the actor can make rules about. */
export function noticeSubjects(ctx: Ctx): NoticeSubject[] {
  permit(ctx, 'notices:read')
  const events = allEventTypes.filter(
    (type) => ctx.actor.may(eventPermissions[type]) && !isBeyondLimit(ctx, type),
  )
  return [
    ...kindsOpenTo(ctx).map(({ name, title }) => ({ name, title, isEvent: false })),
    ...events.map((name) => ({ name, title: eventTitles[name], isEvent: true })),
  ]
}

/** Who is limited to some assets is told of events about these alone. */
const isBeyondLimit = (ctx: Ctx, type: EventType): boolean => isLimited(ctx) && !eventsOfOneAsset.has(type)

const eventTitles: Readonly<Record<EventType, string>> = {
  NEW_ASSET: 'New asset',
  UPDATED_ASSET: 'Asset changed',
  DELETED_ASSET: 'Asset deleted',
  UNLINK: 'Assets separated',
  NEW_SOURCE: 'New source',
  EXPORT_COMPLETED: 'Report or export ready',
  SCAN_COMPLETED: 'Scan completed',
  VULNERABILITY_FOUND: 'New finding',
  COMPLIANCE_UPDATED: 'Status of a control changed',
  FLOW_TRIGGERED: 'Flow started',
}

async function checkedRule(
  ctx: Ctx,
  input: NewRule,
): Promise<Omit<NoticeRule, 'id' | 'userId' | 'createdAt' | 'disabledReason'>> {
  const { eventTypes = [], itemKinds = [], digest = 'now', channelId = null, active = true } = input
  const types = [...new Set(eventTypes)].map((type) => {
    if (!isEventType(type)) throw invalid('eventTypes', `must hold only ${allEventTypes.join(', ')}`)
    permit(ctx, eventPermissions[type])
    if (isBeyondLimit(ctx, type)) throw forbidden(`${type} ${BEYOND_LIMIT}`)
    return type
  })
  const kinds = [...new Set(itemKinds)]
  for (const name of kinds) {
    const kind = openItemKinds.find((it) => it.name === name)
    if (!kind)
      throw invalid('itemKinds', `${name} is none of ${openItemKinds.map((it) => it.name).join(', ')}`)
    permit(ctx, kind.permission)
    if (kind.isOfAllAssets && isLimited(ctx)) throw forbidden(`${name} ${BEYOND_LIMIT}`)
  }
  if (types.length + kinds.length === 0)
    throw invalid('eventTypes', 'name at least one event type or kind of item')
  if (!digests.includes(digest)) throw invalid('digest', `must be one of ${digests.join(', ')}`)
  if (channelId !== null) {
    permit(ctx, 'notices:write')
    await getChannel(ctx, channelId)
  }
  return {
    name: checkedName('name', input.name, NAME_LENGTH_MAX),
    eventTypes: types,
    itemKinds: kinds,
    condition: await checkedCondition(ctx, 'condition', input.condition ?? '', {
      kind: 'event',
      eventTypes: types,
    }),
    channelId,
    digest,
    active,
  }
}

function checkPreferences({ zone, quietFrom, quietUntil, digestHour }: Preferences): void {
  if (!isZone(zone)) throw invalid('zone', `${zone} is no IANA time zone such as Europe/Berlin`)
  if ((quietFrom === null) !== (quietUntil === null))
    throw invalid(quietFrom === null ? 'quietFrom' : 'quietUntil', 'give both or neither')
  for (const [field, time] of Object.entries({ quietFrom, quietUntil }))
    if (time !== null && !TIME.test(time)) throw invalid(field, 'must be a time such as 22:00')
  if (!Number.isInteger(digestHour) || digestHour < 0 || digestHour > 23)
    throw invalid('digestHour', 'must be 0 to 23')
}

/** Rules belong to people. */
function person(ctx: Ctx): string {
  permit(ctx, 'notices:read')
  if (ctx.actor.kind !== 'user') throw forbidden('notice rules belong to people: sign in')
  return ctx.actor.id
}

const subject = (id: string) => ({ type: 'notice_rule', id })

function existing(rule: NoticeRule | undefined): NoticeRule {
  if (!rule) throw notFound('notice rule')
  return rule
}
