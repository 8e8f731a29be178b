import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { auditName } from './endpoint.ts'
import { failing, setEndpointActive } from './endpoint-store.ts'

/** Minimum of dead letters: a few may have other causes than the receiver. */
const DEAD_LETTERS_MIN = 10

/** Disables endpoints with `autoDisableDays` that had no success, and enough dead letters, for that many days. */
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
