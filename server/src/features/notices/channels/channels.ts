import { record } from '#features/audit/audit.ts'
import { refuseUnreachable } from '#features/webhooks/webhooks.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound, tooMany } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { sendDelivery } from '../delivery/send.ts'
import { askForConfirmation } from './confirmation.ts'
import { channelKinds, type ChannelKind, type ChannelSettings, type NoticeChannel } from './channel.ts'
import { checkedSettings, destinationOf, sealSettings } from './channel-settings.ts'
import * as store from './channel-store.ts'

const NAME_LENGTH_MAX = 100
const CHANNELS_MAX = 50
const TEST_SECONDS = 5

export interface NewChannel extends ChannelSettings {
  readonly name: string
  readonly kind: ChannelKind
}

export interface ChannelWithSecret {
  readonly channel: NoticeChannel
  /** Of a generic one, in this answer and no other. */
  readonly secret: string | null
}

export interface ChannelTest {
  readonly success: boolean
  readonly error: string | null
}

/** By name. */
export async function listChannels(ctx: Ctx): Promise<NoticeChannel[]> {
  permit(ctx, 'notices:read')
  return store.all(ctx)
}

export async function getChannel(ctx: Ctx, id: string): Promise<NoticeChannel> {
  permit(ctx, 'notices:read')
  return existing(isUuid(id) ? await store.find(ctx, id) : undefined)
}

/** Checks everything, DNS included. A mail channel asks its address for consent before it gets anything else. */
export async function createChannel(ctx: Ctx, input: NewChannel): Promise<ChannelWithSecret> {
  permit(ctx, 'notices:write')
  const { kind } = input
  if (!channelKinds.includes(kind)) throw invalid('kind', `must be one of ${channelKinds.join(', ')}`)
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const settings = checkedSettings(kind, input)
  if (settings.url !== undefined) await refuseUnreachable(ctx, new URL(settings.url))
  return atomically(ctx, async (inner) => {
    if ((await store.all(inner)).length >= CHANNELS_MAX)
      throw conflict(`there can be ${CHANNELS_MAX} channels; remove one first`)
    const id = newUuid(inner.now())
    const destination = destinationOf(settings)
    await store.add(inner, { id, name, kind, destination, sealed: sealSettings(inner, id, settings) })
    await record(inner, 'notice_channel.created', subject(id), { name, kind, destination })
    const channel = existing(await store.find(inner, id))
    if (kind === 'mail') await askForConfirmation(inner, channel)
    return { channel, secret: settings.secret ?? null }
  })
}

export interface ChannelChanges extends ChannelSettings {
  readonly name?: string
  readonly active?: boolean
}

/** What is left out stays. The address of a mail channel stays as it is: another one is another channel. */
export async function updateChannel(ctx: Ctx, id: string, changes: ChannelChanges): Promise<NoticeChannel> {
  permit(ctx, 'notices:write')
  const before = await getChannel(ctx, id)
  if (changes.address !== undefined) throw invalid('address', 'cannot be changed; make another channel')
  if (changes.url === undefined && (changes.token ?? changes.secret) !== undefined)
    throw invalid('url', 'is required with a new token or secret')
  const settings = changes.url === undefined ? undefined : checkedSettings(before.kind, changes)
  if (settings?.url !== undefined) await refuseUnreachable(ctx, new URL(settings.url))
  const name = changes.name === undefined ? before.name : checkedName('name', changes.name, NAME_LENGTH_MAX)
  return atomically(ctx, async (inner) => {
    const locked = existing(await store.lock(inner, before.id))
    const active = changes.active ?? locked.active
    await store.change(inner, locked.id, {
      name,
      active,
      ...(settings && {
        settings: { sealed: sealSettings(inner, locked.id, settings), destination: destinationOf(settings) },
      }),
    })
    const details = { name, active, ...(settings && { destination: destinationOf(settings) }) }
    await record(inner, 'notice_channel.updated', subject(locked.id), details)
    return existing(await store.find(inner, locked.id))
  })
}

export async function deleteChannel(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'notices:write')
  await atomically(ctx, async (inner) => {
    const channel = existing(isUuid(id) ? await store.lock(inner, id) : undefined)
    await store.remove(inner, channel.id)
    await record(inner, 'notice_channel.deleted', subject(channel.id), { name: channel.name })
  })
}

/** Sends one notice at once, outside of the outbox; not retried. An unconfirmed address gets the question again. */
export async function testChannel(ctx: Ctx, id: string): Promise<ChannelTest> {
  permit(ctx, 'notices:write')
  const channel = await getChannel(ctx, id)
  if (!channel.active) throw conflict('the channel is switched off')
  if (!(await store.claimTest(ctx, channel.id, TEST_SECONDS))) throw tooMany(TEST_SECONDS)
  if (channel.kind === 'mail' && channel.confirmedAt === null) {
    await atomically(ctx, (inner) => askForConfirmation(inner, channel))
    return { success: false, error: 'the address is not confirmed yet; it was asked again' }
  }
  const deliveryId = newUuid(ctx.now())
  const sent = await sendDelivery(ctx, {
    id: deliveryId,
    deliveryId,
    firstId: deliveryId,
    dedupeKey: deliveryId,
    topic: 'test',
    subject: `Test of the channel ${channel.name}`,
    text: 'Notices of Rollcall arrive here.',
    link: '/notices',
    recipientKind: 'channel',
    recipientId: channel.id,
    attempt: 1,
    createdAt: ctx.now().toISOString(),
  })
  await (sent.outcome === 'sent' ? store.noteSent(ctx, channel.id) : store.noteFailed(ctx, channel.id, sent))
  return sent.outcome === 'sent' ? { success: true, error: null } : { success: false, error: sent.error }
}

const subject = (id: string) => ({ type: 'notice_channel', id })

function existing(channel: NoticeChannel | undefined): NoticeChannel {
  if (!channel) throw notFound('notice channel')
  return channel
}
