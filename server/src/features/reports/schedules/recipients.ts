import { enqueueNotice, listChannels, type Recipient } from '#features/notices/notices.ts'
import { grants, memberPermissions, membersByEmail } from '#features/tenancy/tenancy.ts'
import { systemActor, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { readPart } from '../chunk-store.ts'
import { fileKinds, type Report } from '../report.ts'
import { isSeenBy } from '../report-within-limit.ts'

const RECIPIENTS_MAX = 50
/** What a mail may carry; the notice of a larger file has a link alone. */
const ATTACHED_BYTES_MAX = 10 * 1_048_576

/** As they are stored; refuses who may not be written to. */
export async function checkedRecipients(
  ctx: Ctx,
  report: Report,
  given: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(given.map((it) => it.trim().toLowerCase()).filter((it) => it !== ''))]
  if (wanted.length > RECIPIENTS_MAX) throw invalid('recipients', `must be at most ${RECIPIENTS_MAX}`)
  const known = await reachable(ctx, report, wanted)
  const unknown = wanted.find((it) => !known.has(it))
  if (unknown !== undefined)
    throw invalid('recipients', `${unknown} is no member who may read the report, and no confirmed channel`)
  return wanted
}

export interface SentFile {
  readonly snapshotId: string
  readonly fileName: string
  readonly bytes: number
}

/** Writes the notice of a scheduled generation in the caller's transaction. Who lost the permission, or is limited to other assets, gets nothing. */
export async function sendFile(
  ctx: Ctx,
  report: Report,
  { snapshotId, fileName, bytes }: SentFile,
): Promise<void> {
  const recipients = [...(await reachable(ctx, report, report.recipients)).values()]
  const dedupeKey = `report:${snapshotId}`
  await writeNotice(ctx, report, { recipients, dedupeKey, file: { snapshotId, fileName, bytes } })
}

/** As a scheduled generation is sent, to one member. */
export async function sendTest(ctx: Ctx, report: Report, file: SentFile, userId: string): Promise<void> {
  const dedupeKey = `report-test:${file.snapshotId}:${userId}:${ctx.now().toISOString()}`
  await writeNotice(ctx, report, { recipients: [{ userId }], dedupeKey, file })
}

async function writeNotice(
  ctx: Ctx,
  report: Report,
  {
    recipients,
    dedupeKey,
    file: { snapshotId, fileName, bytes },
  }: { readonly recipients: readonly Recipient[]; readonly dedupeKey: string; readonly file: SentFile },
): Promise<void> {
  if (recipients.length === 0) return
  const attachment = bytes <= ATTACHED_BYTES_MAX && {
    name: fileName,
    type: fileKinds[report.format].mediaType,
    content: await readPart(ctx, snapshotId, 'file'),
  }
  await enqueueNotice(ctx, {
    dedupeKey,
    recipients,
    topic: `report:${report.id}`,
    subject: `Report: ${report.name}`,
    text: attachment ? `${fileName} is attached.` : `${fileName} is too large for a mail; it is in the app.`,
    link: `/reports/${report.id}`,
    ...(attachment && { attachment }),
  })
}

export async function tellPaused(ctx: Ctx, report: Report, because: string): Promise<void> {
  const recipients = [...(await reachable(ctx, report, report.recipients)).values()]
  if (recipients.length === 0) return
  await enqueueNotice(ctx, {
    dedupeKey: `report-paused:${report.id}:${report.nextRunAt ?? ''}`,
    recipients,
    topic: `report:${report.id}`,
    subject: `Report paused: ${report.name}`,
    text: `It is no longer generated at set times: ${because}.`,
    link: `/reports/${report.id}`,
  })
}

/** Of these, those that may be written to about reports now. */
async function reachable(
  ctx: Ctx,
  report: Report,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, Recipient>> {
  const found = new Map<string, Recipient>()
  if (wanted.length === 0) return found
  const system = { ...ctx, actor: systemActor('reports') }
  for (const { id, kind, destination, confirmedAt } of await listChannels(system)) {
    const isMail = kind === 'mail'
    const name = isMail ? destination.toLowerCase() : id
    if ((!isMail || confirmedAt !== null) && wanted.includes(name)) found.set(name, { channelId: id })
    if (wanted.includes(id)) found.set(id, { channelId: id })
  }
  const members = await membersByEmail(
    ctx,
    wanted.filter((it) => !isUuid(it)),
  )
  for (const [email, userId] of members) {
    const member = await memberPermissions(ctx, userId)
    const may = member && grants(member.permissions, 'reports:read') && isSeenBy(report, member)
    if (may) found.set(email, { userId })
    else found.delete(email)
  }
  return found
}
