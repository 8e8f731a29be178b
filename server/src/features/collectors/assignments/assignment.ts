import { setTimeout as sleep } from 'node:timers/promises'
import { permit, type Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { SILENCE_MS_MAX } from '../collector.ts'
import { exchangeKeyOf } from '../collector-key-store.ts'
import * as collectors from '../collector-store.ts'
import { encryptedFor } from '#platform/secrets/encrypted-for-key.ts'
import * as store from './assignment-store.ts'

const LOOK_MS = 100
const STANDING_EVERY_MS = 2_000
const MESSAGES_AT_ONCE = 50
/** A collector at work tells its progress; one that says nothing for so long does not get on. */
const MUTE_MS_MAX = 30 * 60_000
/** Longer than any scan runs. */
const FORGOTTEN_HOURS = 72

/** Work that a collector carries out, as whoever gave it sees it. */
export interface Assignment {
  readonly collector: { readonly id: string; readonly name: string }
  /** What the collector says, in its order. Throws `CollectorLost` when it is not heard of any more. */
  readonly messages: () => AsyncIterable<AssignmentMessage>
  /** To the question of this number. What is `secret` can be read by the collector alone. */
  readonly answer: (number: number, value: unknown, secret?: string) => Promise<void>
  /** The collector stops within seconds, if it is still at it. */
  readonly close: () => Promise<void>
}

export interface AssignmentMessage {
  readonly number: number
  /** As the collector sent it: to be checked by whoever reads it. */
  readonly body: unknown
}

/** No collector took the work, or the one that did was not heard of any more; another attempt may find another. */
export class CollectorLost extends Error {
  override readonly name: string = 'CollectorLost'
}

/** The collector is another process now: the same work can be given to it again at once. */
export class CollectorRestarted extends CollectorLost {
  override readonly name = 'CollectorRestarted'
}

export interface Work {
  /** What it is done for, such as the id of a scan: what an earlier attempt at it left behind is dropped. */
  readonly subject: string
  /** JSON. */
  readonly work: unknown
}

/** Each with how well it can do the work, such as how many credentials it can show there. */
export type Capable = ReadonlyMap<string, number>

/** Of collectors that can do the work equally well. */
export const equally = (collectorIds: readonly string[]): Capable =>
  new Map(collectorIds.map((id) => [id, 0]))

/** Gives work to the collector that can do it best of those that are online; of several to the one that has the least to do. */
export async function assign(
  ctx: Ctx,
  capable: Capable,
  { subject, work }: Work,
  signal: AbortSignal,
): Promise<Assignment> {
  permit(ctx, 'scans:write')
  const collector = await collectors.leastBusy(ctx, capable, SILENCE_MS_MAX)
  if (!collector) throw new CollectorLost(await whyNone(ctx, [...capable.keys()]))
  await store.removeOlder(ctx, FORGOTTEN_HOURS)
  await store.removeOf(ctx, subject)
  const id = newUuid(ctx.now())
  await store.add(ctx, { id, collectorId: collector.id, subject, work: JSON.stringify(work) })
  return {
    collector,
    messages: () => messagesOf(ctx, { id, name: collector.name, signal }),
    async answer(number, value, secret) {
      const key = secret === undefined ? undefined : await exchangeKeyOf(ctx, collector.id)
      const encrypted = key && secret !== undefined ? await encryptedFor(key, secret) : undefined
      await store.addAnswer(ctx, id, { number, body: JSON.stringify({ value, encrypted }) })
    },
    close: () => store.remove(ctx, id),
  }
}

async function* messagesOf(
  ctx: Ctx,
  { id, name, signal }: { readonly id: string; readonly name: string; readonly signal: AbortSignal },
): AsyncGenerator<AssignmentMessage> {
  let latest = 0
  let checkedAt = performance.now()
  let heardAt = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const news = await store.takeMessages(ctx, id, MESSAGES_AT_ONCE)
    // one that was sent twice, because its receipt was lost, is read once
    for (const { number, body } of news.filter((it) => it.number > latest)) {
      latest = number
      yield { number, body: JSON.parse(body) as unknown }
    }
    if (news.length > 0) {
      heardAt = performance.now()
      continue
    }
    if (performance.now() - heardAt > MUTE_MS_MAX)
      throw new CollectorLost(
        `collector ${name} said nothing of its work for ${MUTE_MS_MAX / 60_000} minutes`,
      )
    if (performance.now() - checkedAt > STANDING_EVERY_MS) {
      checkedAt = performance.now()
      await refuseLost(ctx, id, name)
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function refuseLost(ctx: Ctx, id: string, name: string): Promise<void> {
  const standing = await store.standing(ctx, id)
  if (!standing) throw new CollectorRestarted(`collector ${name} was started anew in the middle of the work`)
  if (standing.isRevoked) throw new CollectorLost(`collector ${name} was revoked`)
  if (standing.silentMs > SILENCE_MS_MAX)
    throw new CollectorLost(
      `collector ${name} was not heard of since ${standing.lastSeenAt ?? 'it was made'}`,
    )
}

async function whyNone(ctx: Ctx, ids: readonly string[]): Promise<string> {
  const usable = await collectors.usable(ctx, ids)
  if (usable.length === 0) return 'every collector that could do it was revoked'
  const silent = usable.map(({ name, lastSeenAt }) => `${name} since ${lastSeenAt ?? 'it was made'}`)
  return `no collector that could do it is online; not heard of: ${silent.join(', ')}`
}
