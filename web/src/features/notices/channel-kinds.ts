import type { NoticeChannelKind } from '#api/generated/enums-and-inputs.ts'

interface KindOfChannel {
  readonly label: string
  /** Of its URL; of mail, of its address. */
  readonly placeholder: string
  readonly help: string
}

export const CHANNEL_KINDS: Readonly<Record<NoticeChannelKind, KindOfChannel>> = {
  mail: {
    label: 'Mail',
    placeholder: 'team@example.org',
    help: 'The person there is asked first; until they agree nothing else is sent.',
  },
  slack: {
    label: 'Slack',
    placeholder: 'https://hooks.slack.com/services/…',
    help: 'The address of an incoming webhook.',
  },
  mattermost: {
    label: 'Mattermost',
    placeholder: 'https://chat.example.org/hooks/…',
    help: 'The address of an incoming webhook.',
  },
  discord: {
    label: 'Discord',
    placeholder: 'https://discord.com/api/webhooks/…',
    help: 'The address of a webhook of the channel.',
  },
  teams: {
    label: 'Teams',
    placeholder: 'https://….logic.azure.com/workflows/…',
    help: 'The address of a workflow that starts when a webhook request is received.',
  },
  ntfy: {
    label: 'ntfy',
    placeholder: 'https://ntfy.sh/my-topic',
    help: 'The topic. Whoever knows its name can read it, unless it needs a token.',
  },
  generic: {
    label: 'Signed HTTP',
    placeholder: 'https://example.org/notices',
    help: 'JSON, signed as webhooks are. The secret is shown once.',
  },
}
