import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Import } from './import.ts'
import { getImport } from './imports.ts'
import { workOnImport } from './running/run-import.ts'
import { uploadFile } from './uploads.ts'

/** A process that is not asked to stop. */
export const NEVER: Stop = new AbortController().signal
type Stop = Parameters<typeof workOnImport>[2]

/** Uploads a file in one piece. */
export function upload(
  ctx: Ctx,
  text: string | Buffer,
  more: { name?: string; key?: string } = {},
): Promise<Import> {
  const bytes = Buffer.from(text)
  const content = (async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  })()
  return uploadFile(ctx, {
    key: randomUUID(),
    name: 'things.csv',
    bytes: bytes.length,
    at: 0,
    content,
    ...more,
  })
}

/** Does what a worker would do next for the import; answers how it is then. */
export async function work(ctx: Ctx, id: string, signal: Stop = NEVER): Promise<Import> {
  await workOnImport(ctx, { importId: id }, signal)
  return getImport(ctx, id)
}

/** How many jobs of imports the tenant has. */
export async function jobsOf(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db.one(sql<{ count: number }>`
    select count(*) as count from jobs where tenant_id = ${ctx.tenantId} and name = 'imports.work'`)
  return count
}
