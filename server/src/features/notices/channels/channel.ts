export const channelKinds = ['mail', 'slack', 'mattermost', 'discord', 'teams', 'ntfy', 'generic'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** Where notices go beside the mailboxes of members. Its address and secrets are sealed and never answered. */
export interface NoticeChannel {
  readonly id: string
  readonly name: string
  readonly kind: ChannelKind
  /** The host, of mail the address. */
  readonly destination: string
  readonly active: boolean
  /** Why it was switched off by itself. */
  readonly disabledReason: string | null
  /** Of mail: when the person at the address agreed. */
  readonly confirmedAt: string | null
  readonly failingSince: string | null
  readonly lastError: string | null
  readonly lastSentAt: string | null
  readonly createdAt: string
}

/** What a channel needs to be reached. */
export interface ChannelSettings {
  /** Of all kinds but mail. */
  readonly url?: string
  /** Of mail. */
  readonly address?: string
  /** Of ntfy: an access token. */
  readonly token?: string
  /** Of generic: signs what is sent, as for webhooks. */
  readonly secret?: string
}
