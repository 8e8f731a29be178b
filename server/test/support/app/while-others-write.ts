import type { Ctx } from '#platform/context.ts'
import type { Statements } from '#platform/database/db.ts'

/** The context of somebody who reads while others write: `work` is done, and committed, after each statement. */
export function whileOthersWrite(ctx: Ctx, work: () => Promise<unknown>): Ctx {
  const { db } = ctx
  const all: Statements['all'] = async (query) => {
    const rows = await db.all(query)
    await work()
    return rows
  }
  const one: Statements['one'] = async (query) => {
    const row = await db.one(query)
    await work()
    return row
  }
  return { ...ctx, db: { ...db, all, one } }
}
