import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { auditName } from './endpoint.ts'
import { failing, setEndpointActive } from './endpoint-store.ts'

/** So many deliveries given up, at least: one that fails for other reasons than its receiver proves nothing. */
const DEAD_LETTERS_MIN = 10

/** Disables endpoints whose tenants asked for it and that have been failing for long; judged by what is recorded. */
export async function disableFailing(system: Ctx): Promise<void> {
  await atomically(system, async (ctx) => {
    for (const { id, tenantId, name, url, days, deadLetters } of await failing(ctx, DEAD_LETTERS_MIN)) {
      const reason = `no success in ${days} days and ${deadLetters} dead letters`
      const itsTenant = { ...ctx, tenantId }
      await setEndpointActive(itsTenant, id, { active: false, reason })
      await record(
        itsTenant,
        'webhook.disabled',
        { type: 'webhook', id },
        {
          ...auditName({ name, url }),
          reason,
        },
      )
      ctx.log.warn({ webhook: id, tenantId, reason }, 'a webhook that fails is disabled')
    }
  })
}
