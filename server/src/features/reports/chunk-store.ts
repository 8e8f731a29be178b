import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Attempt } from './store.ts'

/** The contents of snapshots, in chunks of at most 1 MiB. */

export type Part = 'dataset' | 'file'

export interface Chunk {
  readonly part: Part
  /** From 0. */
  readonly n: number
  readonly content: Uint8Array
}

/** False, and nothing written, when another attempt took over. */
export async function addChunk(ctx: Ctx, { snapshotId, attempt }: Attempt, chunk: Chunk): Promise<boolean> {
  const { buffer, byteOffset, byteLength } = chunk.content
  // the same bytes as the driver wants them, not a copy
  const content = Buffer.from(buffer, byteOffset, byteLength)
  const written = await ctx.db.run(sql`
    insert into report_chunks (tenant_id, snapshot_id, part, n, content)
    select ${ctx.tenantId}, s.id, ${chunk.part}, ${chunk.n}, ${content}
    from report_snapshots s
    where s.tenant_id = ${ctx.tenantId} and s.id = ${snapshotId} and s.attempt = ${attempt}
      and s.status = 'generating'
    for update`)
  return written === 1
}

export async function chunk(
  ctx: Ctx,
  snapshotId: string,
  { part, n }: Pick<Chunk, 'part' | 'n'>,
): Promise<Buffer | undefined> {
  const found = await ctx.db.maybe(sql<{ content: Buffer }>`
    select content from report_chunks
    where tenant_id = ${ctx.tenantId} and snapshot_id = ${snapshotId} and part = ${part} and n = ${n}`)
  return found?.content
}

/** What an earlier attempt left. */
export async function removeChunks(ctx: Ctx, snapshotId: string): Promise<void> {
  await ctx.db.run(sql`
    delete from report_chunks where tenant_id = ${ctx.tenantId} and snapshot_id = ${snapshotId}`)
}

/** All of it at once; empty: there is none. */
export async function readPart(ctx: Ctx, snapshotId: string, part: Part): Promise<Buffer> {
  const found = await ctx.db.all(sql<{ content: Buffer }>`
    select content from report_chunks
    where tenant_id = ${ctx.tenantId} and snapshot_id = ${snapshotId} and part = ${part} order by n`)
  return Buffer.concat(found.map(({ content }) => content))
}
