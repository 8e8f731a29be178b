import { sql } from 'kysely'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import type { Ctx } from '#platform/context.ts'
import type { AttachedTo, Attachment } from './attachment.ts'

/** Rows of `attachments`, and their content in chunks. */

const columns = sql`id, asset_id as "assetId", contract_id as "contractId", control, name, bytes, received,
  media_type as "mediaType", digest, added_by as "addedBy", added_at as "addedAt"`

function ofTarget({ assetId = null, contractId = null, control = null }: Nullable) {
  if (assetId !== null) return sql`asset_id = ${assetId}`
  return contractId === null ? sql`control = ${control}` : sql`contract_id = ${contractId}`
}
type Nullable = { readonly [K in keyof AttachedTo]: AttachedTo[K] | null }

/** Whole ones, the newest first. */
export function attachments(ctx: Ctx, target: AttachedTo): Promise<Attachment[]> {
  return ctx.db.all(sql<Attachment>`
    select ${columns} from attachments
    where tenant_id = ${ctx.tenantId} and ${ofTarget(target)} and received = bytes
    order by added_at desc, id desc`)
}

export function attachment(ctx: Ctx, id: string): Promise<Attachment | undefined> {
  return ctx.db.maybe(sql<Attachment>`
    select ${columns} from attachments where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function byUploadKey(ctx: Ctx, key: string): Promise<Attachment | undefined> {
  return ctx.db.maybe(sql<Attachment>`
    select ${columns} from attachments where tenant_id = ${ctx.tenantId} and upload_key = ${key}`)
}

/** Holds back whoever else decides whether the tenant has room for a file, until the transaction ends. */
export async function lockTenant(ctx: Ctx): Promise<void> {
  await ctx.db.run(lockOfTenant('attachments', ctx.tenantId))
}

/** Unfinished uploads count with all of their bytes. */
export function usage(
  ctx: Ctx,
  target: AttachedTo,
): Promise<{ readonly bytes: number; readonly ofTarget: number }> {
  return ctx.db.one(sql`
    select coalesce(sum(bytes), 0)::bigint as bytes, count(*) filter (where ${ofTarget(target)}) as "ofTarget"
    from attachments where tenant_id = ${ctx.tenantId}`)
}

export async function removeUnfinished(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.run(sql`
    delete from attachments where tenant_id = ${ctx.tenantId} and received < bytes and added_at < ${before}`)
}

/** Of the target; false when all of its files are whole. */
export async function removeOldestUnfinished(ctx: Ctx, target: AttachedTo): Promise<boolean> {
  const removed = await ctx.db.run(sql`
    delete from attachments where tenant_id = ${ctx.tenantId} and id = (
      select id from attachments where tenant_id = ${ctx.tenantId} and ${ofTarget(target)} and received < bytes
      order by added_at, id limit 1)`)
  return removed > 0
}

export interface NewAttachment extends AttachedTo {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly bytes: number
  readonly addedBy: string
  readonly addedAt: Date
}

export function add(ctx: Ctx, it: NewAttachment): Promise<Attachment> {
  return ctx.db.one(sql<Attachment>`
    insert into attachments (tenant_id, id, upload_key, asset_id, contract_id, control, name, bytes, added_by, added_at)
    values (${ctx.tenantId}, ${it.id}, ${it.key}, ${it.assetId ?? null}, ${it.contractId ?? null},
      ${it.control ?? null}, ${it.name}, ${it.bytes}, ${it.addedBy}, ${it.addedAt})
    returning ${columns}`)
}

export interface Part {
  readonly id: string
  /** Of its first byte in the file. */
  readonly position: number
  readonly content: Buffer
}

/** How many bytes have arrived; undefined when the part does not begin where the upload goes on, or is too long. */
export async function append(ctx: Ctx, { id, position, content }: Part): Promise<number | undefined> {
  const { length } = content
  const grown = await ctx.db.maybe(sql<{ received: number; isWhole: boolean }>`
    select received + ${length}::int as received, received + ${length}::int = bytes as "isWhole" from attachments
    where tenant_id = ${ctx.tenantId} and id = ${id} and received = ${position} and received + ${length} <= bytes
    for update`)
  if (!grown) return undefined
  await ctx.db.run(sql`
    insert into attachment_chunks (tenant_id, attachment_id, position, content)
    values (${ctx.tenantId}, ${id}, ${position}, ${content})`)
  if (!grown.isWhole)
    await ctx.db.run(sql`
      update attachments set received = ${grown.received} where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return grown.received
}

/** The first chunks, of at least so many bytes if there are. */
export async function head(ctx: Ctx, id: string, bytes: number): Promise<Buffer> {
  const found = await ctx.db.all(sql<{ content: Buffer }>`
    select content from attachment_chunks
    where tenant_id = ${ctx.tenantId} and attachment_id = ${id} and position < ${bytes} order by position`)
  return Buffer.concat(found.map(({ content }) => content))
}

/** After the last part. */
export function finish(ctx: Ctx, id: string, mediaType: string): Promise<Attachment> {
  return ctx.db.one(sql<Attachment>`
    update attachments set received = bytes, media_type = ${mediaType}, digest = (
      select encode(sha256(string_agg(content, ''::bytea order by position)), 'hex') from attachment_chunks
      where tenant_id = ${ctx.tenantId} and attachment_id = ${id})
    where tenant_id = ${ctx.tenantId} and id = ${id}
    returning ${columns}`)
}

export function chunk(
  ctx: Ctx,
  id: string,
  position: number,
): Promise<{ readonly content: Buffer } | undefined> {
  return ctx.db.maybe(sql<{ content: Buffer }>`
    select content from attachment_chunks
    where tenant_id = ${ctx.tenantId} and attachment_id = ${id} and position = ${position}`)
}

export async function remove(ctx: Ctx, id: string): Promise<boolean> {
  const removed = await ctx.db.run(
    sql`delete from attachments where tenant_id = ${ctx.tenantId} and id = ${id}`,
  )
  return removed > 0
}

export async function removeOf(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from attachments where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

export async function moveToSurvivors(ctx: Ctx, survivorOf: ReadonlyMap<string, string>): Promise<void> {
  await ctx.db.run(sql`
    update attachments set asset_id = m.survivor
    from unnest(${[...survivorOf.keys()]}::uuid[], ${[...survivorOf.values()]}::uuid[]) as m(old, survivor)
    where attachments.tenant_id = ${ctx.tenantId} and asset_id = m.old`)
}
