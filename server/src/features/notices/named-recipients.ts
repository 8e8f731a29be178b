import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import * as channels from './channels/channel-store.ts'
import type { Recipient } from './enqueue-notice.ts'

/**
 * Recipients as people write them: `me` for the person who acts, an e-mail address, or the name or id of a channel.
 * Throws 400 `field` for anything else. Whether an address may be written to is decided by `enqueueNotice`.
 */
export async function namedRecipients(
  ctx: Ctx,
  field: string,
  names: readonly string[],
): Promise<Recipient[]> {
  const known = await channels.all(ctx)
  return names.map((given): Recipient => {
    const name = given.trim()
    if (name.toLowerCase() === 'me') {
      if (ctx.actor.kind !== 'user') throw invalid(field, 'me is nobody here: no person acts')
      return { userId: ctx.actor.id }
    }
    const channel = known.find((it) => it.id === name || it.name.toLowerCase() === name.toLowerCase())
    if (channel) return { channelId: channel.id }
    if (name.includes('@')) return { email: name }
    throw invalid(field, `${name} is neither me, an address nor a channel`)
  })
}
