import { assetsById } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import type { StepScope } from '../actions/action.ts'
import { tokenContext } from '../approvals/approvals.ts'
import { tokensOfRun } from '../approvals/approval-store.ts'
import { secretsIn } from '../definition/template.ts'
import { openSecrets } from '../secrets/flow-secrets.ts'
import { assetIdOf, currentItem, itemKey, type ClaimedRun, type RunContext } from './run.ts'

/** What a step is done with, and what must not appear in its log. */
export interface PreparedScope {
  readonly scope: StepScope
  readonly secrets: readonly string[]
}

export type ScopedRun = Pick<ClaimedRun, 'id' | 'flowId' | 'assetId' | 'context' | 'cursor'>

/**
 * The asset as it is now, undefined when it was deleted: `read` reads it, if it was not read already. Secrets are those
 * that `settings` name.
 */
export async function scopeOf(
  ctx: Ctx,
  run: ScopedRun,
  settings: unknown,
  read: typeof assetsById = assetsById,
): Promise<PreparedScope> {
  const { context } = run
  const assetId = assetIdOf(run)
  const [asset] = assetId === null ? [] : await read(ctx, [assetId])
  const secrets = await openSecrets(ctx, secretsIn(settings))
  const { steps, tokens } = await withTokens(ctx, run)
  const item = itemKey(context)
  return {
    scope: {
      runId: run.id,
      values: {
        event: context.event,
        before: context.before ?? {},
        steps,
        ...(asset && { asset }),
        item: currentItem(context),
        secrets,
        run: { id: run.id, flow_id: run.flowId },
      },
      assetId: asset?.id,
      idempotencyKey: `${run.id}:${run.cursor}${item === '' ? '' : `:${item}`}`,
    },
    secrets: [...Object.values(secrets), ...tokens],
  }
}

/** Outputs that are about an approval, with its token while it is open. */
async function withTokens(
  ctx: Ctx,
  run: ScopedRun,
): Promise<{ readonly steps: RunContext['steps']; readonly tokens: readonly string[] }> {
  const { steps } = run.context
  const asked = Object.entries(steps).flatMap(([name, output]) => {
    const id = (output as { approval_id?: unknown } | null)?.approval_id
    return typeof id === 'string' ? [{ name, id }] : []
  })
  if (asked.length === 0) return { steps, tokens: [] }
  const sealed = await tokensOfRun(ctx, run.id)
  const opened = asked.flatMap(({ name, id }) => {
    const token = sealed.get(id)
    return token ? [{ name, token: ctx.seal.open(token, tokenContext(id)) }] : []
  })
  const withToken = Object.fromEntries(
    opened.map(({ name, token }) => [name, { ...(steps[name] as object), token }]),
  )
  return { steps: { ...steps, ...withToken }, tokens: opened.map(({ token }) => token) }
}
