import type { Ctx } from '#platform/context.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import type { LockOfAction } from '../actions/action.ts'
import { actions } from '../actions/all.ts'
import type { Instruction } from '../definition/program.ts'

/** In the order in which every transaction that needs both takes them. */
const LOCKS: readonly LockOfAction[] = ['identity', 'findings']

/**
 * For a transaction in which several steps are performed: takes the locks of the tenant that any action of the programs
 * needs, and holds them until its end. To be called before the first step, because other transactions take these locks
 * before they lock rows, such as those of assets: two that did it the other way round would wait for each other.
 */
export async function lockForSteps(ctx: Ctx, programs: readonly (readonly Instruction[])[]): Promise<void> {
  const needed = new Set(programs.flat().flatMap(locksOf))
  for (const lock of LOCKS) if (needed.has(lock)) await ctx.db.run(lockOfTenant(lock, ctx.tenantId))
}

function locksOf(instruction: Instruction): readonly LockOfAction[] {
  const action = instruction.op === 'act' ? actions.get(instruction.step.action) : undefined
  return action?.kind === 'inner' ? (action.locks ?? []) : []
}
