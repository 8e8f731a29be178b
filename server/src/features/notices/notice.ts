/** What people are told: one line, some more lines, and where to read on. Parts of it come from scanned hosts. */
export interface NoticeText {
  readonly subject: string
  readonly text: string
  /** Absolute; null: nowhere. */
  readonly url: string | null
}

/** Who gets a notice: a channel of the tenant, or a member by mail. */
export interface RecipientRef {
  readonly kind: 'channel' | 'member'
  readonly id: string
}

export interface Attachment {
  readonly name: string
  /** A media type. */
  readonly type: string
  readonly content: Buffer
}

export const deliveryStatuses = ['waiting', 'sent', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One notice for one recipient, for the log. */
export interface NoticeDelivery {
  readonly id: string
  readonly subject: string
  readonly recipientKind: RecipientRef['kind']
  /** The channel's name, or the member's address. */
  readonly recipient: string
  readonly status: DeliveryStatus
  readonly attempts: number
  /** Of the last attempt, or why it was set aside. */
  readonly error: string | null
  readonly nextAttemptAt: string | null
  readonly sentAt: string | null
  readonly createdAt: string
}
