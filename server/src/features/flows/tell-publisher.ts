import { enqueueNotice, type NewNotice } from '#features/notices/notices.ts'
import { memberPermissions } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import type { Flow } from './flow.ts'
import * as flows from './flow-store.ts'

/**
 * A notice to whoever published the flow, in the caller's transaction. Nobody, where the person has left or the owner of
 * the machine published it.
 */
export async function tellPublisher(
  ctx: Ctx,
  { id, publishedVersion }: Pick<Flow, 'id' | 'publishedVersion'>,
  what: Pick<NewNotice, 'subject' | 'text'> & { readonly topic: 'flow-paused' | 'flow-failed' },
): Promise<void> {
  const version = publishedVersion === null ? undefined : await flows.version(ctx, id, publishedVersion)
  const userId = version?.runAs ?? null
  if (userId === null || !(await memberPermissions(ctx, userId))) return
  const topic = `${what.topic}:${id}`
  await enqueueNotice(ctx, {
    ...what,
    topic,
    dedupeKey: `${topic}:${ctx.now().toISOString()}`,
    recipients: [{ userId }],
    link: `/flows/${id}`,
  })
}
