import type { Ctx } from '#platform/context.ts'
import { compileScope } from '../evaluation/check-sql-store.ts'
import { asSystem } from '../evaluation/judge-due.ts'
import { addScope } from '../evaluation/scope-store.ts'

/**
 * Writes for which assets the condition holds now; batches and rounds judge it from here on as they judge the scopes of
 * checks. Under the lock of the adoptions.
 */
export async function coverCondition(ctx: Ctx, where: string): Promise<void> {
  const system = asSystem(ctx)
  const subject = await system.conditions.on(system, 'asset')
  await addScope(system, { scope: where, isIn: await compileScope(system, where, { subject }), subject })
}
