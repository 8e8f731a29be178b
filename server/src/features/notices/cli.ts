import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { channelKinds, type NoticeChannel } from './channels/channel.ts'
import { createChannel, deleteChannel, listChannels, listNoticeDeliveries, testChannel } from './notices.ts'

const PAGE = { limit: 50, offset: 0 }

export const commands: readonly Command[] = [
  {
    path: 'notice channels',
    tenant: true,
    help: 'where notices go beside the mailboxes of members',
    async run(ctx) {
      const channels = await listChannels(ctx)
      return { json: channels, text: channels.map(toLine).join('\n') }
    },
  },
  {
    path: 'notice channel-add',
    tenant: true,
    args: ['name', 'kind', 'destination'],
    options: { token: { value: 'TOKEN', help: 'of ntfy: an access token' } },
    help: `adds a channel: ${channelKinds.join(', ')}; its destination is a URL, of mail an address`,
    async run(ctx, { args, options }) {
      const kind = channelKinds.find((it) => it === args['kind'])
      if (!kind) throw invalid('kind', `must be one of ${channelKinds.join(', ')}`)
      const destination = args['destination'] ?? ''
      const where = kind === 'mail' ? { address: destination } : { url: destination }
      const token = options['token']
      const made = await createChannel(ctx, {
        name: args['name'] ?? '',
        kind,
        ...where,
        ...(typeof token === 'string' && { token }),
      })
      const secret = made.secret === null ? '' : ` Secret, shown this once: ${made.secret}`
      return { json: made, text: `Added ${made.channel.name} (${made.channel.id}).${secret}` }
    },
  },
  {
    path: 'notice channel-test',
    tenant: true,
    args: ['id'],
    help: 'sends one notice at once',
    async run(ctx, { args }) {
      const test = await testChannel(ctx, args['id'] ?? '')
      return { json: test, text: test.success ? 'Sent.' : `Not sent: ${test.error}` }
    },
  },
  {
    path: 'notice channel-remove',
    tenant: true,
    args: ['id'],
    help: 'removes a channel; what waits for it is set aside',
    async run(ctx, { args }) {
      await deleteChannel(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Removed.' }
    },
  },
  {
    path: 'notice deliveries',
    tenant: true,
    help: 'the newest 50 notices, and what became of each',
    async run(ctx) {
      const { items } = await listNoticeDeliveries(ctx, PAGE)
      const lines = items.map((it) =>
        [it.createdAt, it.status, it.recipient, it.subject, it.error ?? ''].join('  '),
      )
      return { json: items, text: lines.join('\n') }
    },
  },
]

function toLine({ id, name, kind, destination, active, disabledReason, lastError }: NoticeChannel): string {
  const state = active ? (lastError ?? 'on') : (disabledReason ?? 'off')
  return [id, kind, name, destination, state].join('  ')
}
