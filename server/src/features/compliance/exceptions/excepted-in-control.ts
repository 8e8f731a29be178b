import type { Ctx } from '#platform/context.ts'
import { keyOf } from '../catalogue/catalogue.ts'
import type { CheckState } from '../evaluation/result-store.ts'
import { exceptedInControls } from './excepted-store.ts'

/** For each control with an exception from it, how many failures of its checks are excepted there, by check. */
export type ExceptedInControls = ReadonlyMap<string, ReadonlyMap<string, number>>

export async function exceptedByControl(ctx: Ctx): Promise<ExceptedInControls> {
  const rows = Map.groupBy(await exceptedInControls(ctx), (it) => keyOf(it.framework, it.controlId))
  return new Map(
    [...rows].map(([key, of]) => [key, new Map(of.map(({ checkId, excepted }) => [checkId, excepted]))]),
  )
}

/** A check as it counts for one control: what is excepted there is not what is excepted elsewhere. */
export function stateInControl(
  state: CheckState | undefined,
  excepted: ReadonlyMap<string, number> | undefined,
): CheckState | undefined {
  if (!state) return undefined
  const here = excepted?.get(state.checkId) ?? state.excepted
  return { ...state, excepted: Math.min(here, state.failed) }
}
