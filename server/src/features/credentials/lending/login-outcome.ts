import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { afterOutcome, afterOutcomeHere, HOSTS_MAX, TIMES_MAX } from './circuit-breaker.ts'
import type { Outcome } from '../credential.ts'
import * as store from './credential-use-store.ts'

interface Use {
  readonly id: string
  readonly address: string
  readonly outcome: Outcome
  /** The scan whose lock on the credential ends with it. */
  readonly holder: string
  /** False when the log has it already. */
  readonly isNews: boolean
}

/** Notes what came of showing a credential to a host; answers in words when it is set aside because of that. */
export function noteOutcome(
  ctx: Ctx,
  { scanId, startedBy }: { readonly scanId: string; readonly startedBy: unknown },
  use: Use,
): Promise<string | undefined> {
  const { id, address, outcome, isNews } = use
  return atomically(ctx, async (inner) => {
    const all = await store.standing(inner, id)
    const mine = all.find((it) => it.id === id)
    if (!mine) return undefined
    const subject = { type: 'credential', id }
    const tripped = await weigh(inner, all, mine, use)
    const details = { name: mine.name, address, outcome, scanId, startedBy }
    if (isNews) await record(inner, 'credential.used', subject, details)
    if (!tripped) return undefined
    const { until, reason } = tripped
    inner.log.warn({ credential: id, until }, `a credential is set aside: ${reason}`)
    await record(inner, 'credential.set_aside', subject, { name: mine.name, until, reason })
    return `${mine.name} is set aside until ${until}: ${reason}`
  })
}

/** Answers until when and why, when it is one refusal too many. */
async function weigh(
  ctx: Ctx,
  all: readonly store.Standing[],
  mine: store.Standing,
  { id, address, outcome, holder }: Use,
): Promise<{ until: string; reason: string } | undefined> {
  const isOfDirectory = mine.account !== null
  const before = { ...mine, openUntil: mine.openUntil === null ? null : new Date(mine.openUntil) }
  const after = afterOutcome(before, { outcome, address, isOfDirectory }, ctx.now())
  const reason = after.openUntil === null ? null : reasonOf(after.refusedBy, isOfDirectory)
  const ids = all.map((it) => it.id)
  await store.noteUse(ctx, ids, { id, outcome, record: after, reason, holder })
  if (outcome === 'accepted') await store.endTrials(ctx, holder)
  const here = afterOutcomeHere(await store.here(ctx, id, address), outcome, ctx.now())
  await store.noteHere(ctx, { id, address, outcome }, here)
  if (after.trips === before.trips || reason === null) return undefined
  return { until: after.openUntil?.toISOString() ?? '', reason }
}

function reasonOf(refusedBy: readonly string[], isOfDirectory: boolean): string {
  const hosts = [...new Set(refusedBy)].join(', ')
  return isOfDirectory
    ? `its account was refused ${TIMES_MAX} times in a row (${hosts}), and more could lock it`
    : `refused by ${HOSTS_MAX} hosts in a row (${hosts})`
}
