import { sql } from 'kysely'
import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** What conditions may ask about the host keys of assets (`a`), by the addresses that they have now. */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  {
    subject: 'asset',
    permission: 'assets:read',
    fields: [
      {
        name: 'host_key_changed',
        type: 'bool',
        sentence:
          'Whether it offered another host key or certificate than the known one, which nobody has accepted, or one that a person refused.',
        source: 'scans that log in; files of known hosts',
        sql: sql`(select bool_or(hk.offered_at is not null or hk.trust = 'refused') from host_keys hk
          where hk.tenant_id = ${ctx.tenantId} and hk.address = any(a.addresses) and hk.trust <> 'waiting')`,
      },
    ],
  },
]
