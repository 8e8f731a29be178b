import type { Ctx } from '#platform/context.ts'

/** The context with a database in which `work` is done, and committed, just before the next transaction begins. */
export function beforeTransaction(ctx: Ctx, work: () => Promise<unknown>): Ctx {
  let isDone = false
  return {
    ...ctx,
    db: {
      ...ctx.db,
      transaction: async (inside) => {
        if (!isDone) {
          isDone = true
          await work()
        }
        return ctx.db.transaction(inside)
      },
    },
  }
}
