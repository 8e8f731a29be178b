import { membersByEmail } from '#features/tenancy/tenancy.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { withoutControlCharacters } from '#platform/validation/control-characters.ts'
import * as channels from './channels/channel-store.ts'
import { sendDueJob } from './delivery/send-due-job.ts'
import * as store from './delivery/outbox-store.ts'
import { withEllipsis } from './formats/escaping.ts'
import type { Attachment, RecipientRef } from './notice.ts'

const SUBJECT_LENGTH_MAX = 200
const TEXT_LENGTH_MAX = 16_000
const DEDUPE_KEY_LENGTH_MAX = 200
const RECIPIENTS_MAX = 100
const ATTACHMENT_BYTES_MAX = 10 * 1_048_576

/** A channel by its id, a member by their id, or the address of a member or of a confirmed mail channel. */
export type Recipient =
  | { readonly channelId: string }
  | { readonly userId: string }
  | { readonly email: string }

export interface NewNotice {
  /** A notice with the same key was written already: nothing is sent again. Of letters that logs may show. */
  readonly dedupeKey: string
  readonly recipients: readonly Recipient[]
  /** What recipients can unsubscribe from: `noun:id`, such as `report:<id>`. */
  readonly topic: string
  /** One line; longer ones are cut at 200 characters. */
  readonly subject: string
  /** Plain text. Formats escape it: it may hold what scanned hosts say of themselves. */
  readonly text: string
  /** A path of the app below the tenant, such as `/reports/<id>`. */
  readonly link?: string
  /** For mail. One of more than 10 MiB is left out, and the text says so. */
  readonly attachment?: Attachment
}

/**
 * Writes a notice into the outbox in the caller's transaction; it is sent after the commit, with retries for a day.
 * Checks no permission: the caller's verb has. Throws 400 `recipients` for who may not be written to. Answers how many
 * recipients it was written for; 0 when a notice with this key was written before.
 */
export async function enqueueNotice(ctx: Ctx, notice: NewNotice): Promise<number> {
  return atomically(ctx, async (inner) => {
    const recipients = await recipientsOf(inner, notice.recipients)
    const id = newUuid(inner.now())
    const attached = attachmentOf(notice)
    const message = {
      id,
      dedupeKey: withEllipsis(notice.dedupeKey, DEDUPE_KEY_LENGTH_MAX),
      topic: notice.topic,
      subject: withEllipsis(withoutControlCharacters(printable(notice.subject)), SUBJECT_LENGTH_MAX),
      text: withEllipsis(printable(`${notice.text}${attached.note}`), TEXT_LENGTH_MAX),
      link: notice.link ?? null,
      attachment: attached.file,
    }
    if (!(await store.addMessage(inner, message))) return 0
    const added = await store.addDeliveries(inner, { messageId: id, topic: notice.topic }, recipients)
    if (added > 0) await enqueue(inner, sendDueJob, {})
    return added
  })
}

/** Without what turns the direction of writing (Unicode UAX 9), by which a name can look like another one. */
const printable = (text: string): string =>
  text.toWellFormed().replaceAll(/[\0\u202a-\u202e\u2066-\u2069]/g, '')

function attachmentOf({ attachment }: NewNotice): { readonly file?: Attachment; readonly note: string } {
  if (!attachment) return { note: '' }
  if (attachment.content.length <= ATTACHMENT_BYTES_MAX) return { file: attachment, note: '' }
  return { note: `\n\n${attachment.name} is too large for a mail; it can be fetched in the app.` }
}

/** Each once. */
async function recipientsOf(ctx: Ctx, given: readonly Recipient[]): Promise<RecipientRef[]> {
  if (given.length > RECIPIENTS_MAX) throw invalid('recipients', `must be at most ${RECIPIENTS_MAX}`)
  const known = await channels.all(ctx)
  const addressed = given.flatMap((it) => ('email' in it ? [it.email.trim().toLowerCase()] : []))
  const members = await membersByEmail(ctx, addressed)
  const found = given.map((it): RecipientRef => {
    if ('userId' in it) {
      if (!isUuid(it.userId)) throw invalid('recipients', `${it.userId} is no id of a member`)
      return { kind: 'member', id: it.userId }
    }
    if ('channelId' in it) {
      const channel = known.find(({ id }) => id === it.channelId)
      if (!channel) throw invalid('recipients', `${it.channelId} is no channel`)
      return { kind: 'channel', id: channel.id }
    }
    return addressee(it.email.trim().toLowerCase(), members, known)
  })
  return [...new Map(found.map((it) => [`${it.kind}:${it.id}`, it])).values()]
}

function addressee(
  email: string,
  members: ReadonlyMap<string, string>,
  known: readonly channels.StoredChannel[],
): RecipientRef {
  const member = members.get(email)
  if (member !== undefined) return { kind: 'member', id: member }
  const confirmed = known.find(
    ({ kind, destination, confirmedAt }) =>
      kind === 'mail' && confirmedAt !== null && destination.toLowerCase() === email,
  )
  if (!confirmed)
    throw invalid('recipients', `${email} is no member and no mail channel whose address was confirmed`)
  return { kind: 'channel', id: confirmed.id }
}
