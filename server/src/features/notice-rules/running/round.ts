import { areTrue } from '#features/flows/flows.ts'
import { enqueueNotice } from '#features/notices/notices.ts'
import { actingAs, atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { ITEMS_OF_RULE, listOpenItems } from '../open-items.ts'
import { kindsOpenTo } from '../open-items/all.ts'
import { DEFAULT_PREFERENCES, eventPermissions, type NoticeRule, type Preferences } from '../rule.ts'
import * as store from '../rule-store.ts'
import { dueAt, nextDigestAt } from './due-time.ts'
import { eventText } from './event-text.ts'
import { eventsWithinLimit } from './events-within-limit.ts'
import { asMember } from './owner.ts'
import { listen, roundJob } from './on-event.ts'

const BATCH = 200
const LINES_MAX = 50
const LEFT = 'the person is no longer a member'

/** An active rule and the context of its owner. */
interface LiveRule {
  readonly rule: NoticeRule
  readonly owner: Ctx
  readonly preferences: Preferences
}

export async function runRound(ctx: Ctx, signal: AbortSignal): Promise<void> {
  await listen(ctx)
  await store.forgetInactive(ctx)
  await writeSummaries(ctx)
  const rules = await liveRules(ctx)
  const withEvents = new Set(await store.rulesWithEvents(ctx))
  for (const live of rules.values())
    await offWhenRefused(ctx, live, async () => {
      while (!signal.aborted && withEvents.has(live.rule.id) && (await judgeEvents(ctx, live)) === BATCH);
      await seeItems(ctx, live)
    })
  for (const ruleId of await store.rulesWithDueEntries(ctx)) {
    const live = rules.get(ruleId)
    if (live) await offWhenRefused(ctx, live, () => writeDue(ctx, live))
  }
}

/**
 * A rule whose condition can be read no more, or whose channel is gone, is switched off with the reason; the others go
 * on.
 */
async function offWhenRefused(ctx: Ctx, { rule }: LiveRule, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn({ err: error, ruleId: rule.id }, 'a notice rule was switched off')
    await store.switchOff(ctx, rule.id, error.message)
  }
}

/** Each minute for each tenant that has rules. */
export async function enqueueRounds(system: Ctx): Promise<void> {
  for (const tenantId of await store.tenants(system)) await enqueue({ ...system, tenantId }, roundJob, {})
}

async function liveRules(ctx: Ctx): Promise<Map<string, LiveRule>> {
  const rules = await store.active(ctx)
  const known = await store.preferences(ctx, [...new Set(rules.map(({ userId }) => userId))])
  const live = new Map<string, LiveRule>()
  for (const rule of rules) {
    const owner = await asMember(ctx, rule.userId)
    const preferences = known.find(({ userId }) => userId === rule.userId) ?? DEFAULT_PREFERENCES
    if (owner) live.set(rule.id, { rule, owner, preferences })
    else await store.switchOff(ctx, rule.id, LEFT)
  }
  return live
}

/** One transaction: what is taken out of the list stands among what will be told. Answers how many were taken. */
function judgeEvents(ctx: Ctx, live: LiveRule): Promise<number> {
  return atomically(ctx, async (inner) => {
    const taken = await store.takeEvents(inner, live.rule.id, BATCH)
    const owner = actingAs(inner, live.owner.actor)
    const events = await eventsWithinLimit(
      owner,
      taken.filter(({ type }) => owner.actor.may(eventPermissions[type])),
    )
    const matches = await areTrue(
      owner,
      events.map(({ body, before }) => ({
        text: live.rule.condition,
        trigger: { kind: 'event', eventTypes: live.rule.eventTypes },
        assetId: assetOf(body),
        context: { event: body, steps: {}, ...(before && { before }) },
      })),
    )
    const told = events.filter((_, n) => matches[n])
    await store.addEntries(
      inner,
      told.map(({ eventId, type, body }) => entryOf(inner, live, { id: eventId, ...eventText(type, body) })),
    )
    return taken.length
  })
}

function assetOf(event: Readonly<Record<string, unknown>>): string | null {
  const id = event['asset_id'] ?? event['asset_id_a']
  return typeof id === 'string' && isUuid(id) ? id : null
}

function entryOf(
  ctx: Ctx,
  { rule, preferences }: LiveRule,
  what: { readonly id: string; readonly subject: string; readonly link: string | null },
): store.Entry {
  return { ...what, ruleId: rule.id, dueAt: dueAt(ctx.now(), rule.digest, preferences) }
}

/** What is open now and was not at the last look. A kind that the owner may no longer see counts as empty. */
async function seeItems(ctx: Ctx, live: LiveRule): Promise<void> {
  const kinds = kindsOpenTo(live.owner).filter(({ name }) => live.rule.itemKinds.includes(name))
  if (kinds.length === 0) return
  await atomically(ctx, async (inner) => {
    const owner = actingAs(inner, live.owner.actor)
    const open = new Map<string, { readonly subject: string; readonly link: string }>()
    for (const { name, find } of kinds)
      for (const item of (await find(owner, ITEMS_OF_RULE)).items) open.set(`${name}:${item.key}`, item)
    const added = await store.seeItems(inner, live.rule.id, [...open.keys()])
    const entries = [...open]
      .filter(([key]) => added.has(key))
      .map(([, item]) => entryOf(inner, live, { ...item, id: newUuid(inner.now()) }))
    await store.addEntries(inner, entries)
  })
}

/** One notice of everything of the rule that is due. */
async function writeDue(ctx: Ctx, { rule }: LiveRule): Promise<void> {
  await atomically(ctx, async (inner) => {
    const entries = await store.takeDueEntries(inner, rule.id)
    const [first] = entries
    if (first)
      await enqueueNotice(inner, { ...noticeOf(rule, entries), dedupeKey: `rule:${rule.id}:${first.id}` })
  })
}

function noticeOf(
  { id, name, userId, channelId }: NoticeRule,
  entries: readonly Omit<store.Entry, 'dueAt'>[],
) {
  const recipients = [channelId === null ? { userId } : { channelId }]
  const lines = entries.slice(0, LINES_MAX).map(({ subject }) => subject)
  const rest = entries.length > LINES_MAX ? [`and ${entries.length - LINES_MAX} more`] : []
  const isOne = entries.length === 1
  const link = isOne ? (entries[0]?.link ?? '/') : '/'
  return {
    topic: `rule:${id}`,
    recipients,
    subject: isOne ? (lines[0] ?? name) : `${name}: ${entries.length} notices`,
    text: [...lines, ...rest, '', `By the rule ${name}`].join('\n'),
    link,
  }
}

/** Once a day by mail what waits, with counts; nothing on a day on which nothing does. */
async function writeSummaries(ctx: Ctx): Promise<void> {
  await atomically(ctx, async (inner) => {
    for (const { userId, dueAt: due, ...preferences } of await store.dueSummaries(inner)) {
      const owner = await asMember(inner, userId)
      await store.setNextSummary(inner, userId, owner ? nextDigestAt(inner.now(), preferences) : null)
      const groups = owner ? await listOpenItems(owner) : []
      if (groups.length === 0) continue
      const total = groups.reduce((sum, group) => sum + group.total, 0)
      await enqueueNotice(inner, {
        dedupeKey: `summary:${userId}:${due}`,
        topic: 'summary',
        recipients: [{ userId }],
        subject: `${total} waiting in Rollcall`,
        text: groups.map(summaryOf).join('\n\n'),
        link: '/',
      })
    }
  })
}

const LINES_OF_GROUP = 5

function summaryOf({ title, total, items }: Awaited<ReturnType<typeof listOpenItems>>[number]): string {
  const lines = items.slice(0, LINES_OF_GROUP).map(({ subject }) => `  ${subject}`)
  const rest = total > LINES_OF_GROUP ? [`  and ${total - LINES_OF_GROUP} more`] : []
  return [`${title}: ${total}`, ...lines, ...rest].join('\n')
}
