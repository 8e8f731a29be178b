import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import {
  CERTAINTY,
  EPSS_NEUTRAL,
  EXPLOITED_FLOOR,
  EXPLOITED_MIN,
  EXPLOITED_SHARE,
  SSVC_LIKELIHOOD,
} from './risk-score.ts'

/** The weight of open findings in SQL, by the formula of `risk-score.ts`. */

export const cases = (column: string, values: Readonly<Record<string, number>>) =>
  sql`case ${sql.ref(column)} ${sql.join(
    Object.entries(values).map(([name, value]) => sql`when ${sql.lit(name)} then ${sql.lit(value)}::float8`),
    sql` `,
  )} end`

const isExploited = sql`(v.kev_added_on is not null or v.ssvc_exploitation is not distinct from 'active')`

const likelihood = sql`case when ${isExploited} then 1::float8
  else greatest(${sql.lit(EXPLOITED_MIN)}::float8
      + (1 - ${sql.lit(EXPLOITED_MIN)}::float8) * sqrt(coalesce(v.epss, ${sql.lit(EPSS_NEUTRAL)}::float8)),
    case when v.ssvc_exploitation = 'poc' then ${bound('poc')} when v.ssvc_exploitation = 'none' then ${bound('none')} end)
  end`

function bound(exploitation: keyof typeof SSVC_LIKELIHOOD): ReturnType<typeof sql> {
  const { automatable, byHand } = SSVC_LIKELIHOOD[exploitation]
  return sql`case when v.ssvc_is_automatable then ${sql.lit(automatable)}::float8 else ${sql.lit(byHand)}::float8 end`
}

const weight = sql`case when w0.exploited
  then greatest(w0.p, ${sql.lit(EXPLOITED_FLOOR)}::float8 + ${sql.lit(EXPLOITED_SHARE)}::float8 * w0.p) else w0.p end`

/** The open findings of the assets in `wanted (id)`, with their weights `p`. */
export const weighedFindings = (ctx: Ctx) => sql`
      select f.asset_id, f.id, f.cve_id, f.software, f.grade, f.score, v.epss, w0.exploited,
        w0.likelihood, w0.certainty, ${weight} as p
      from wanted w join findings f on f.tenant_id = ${ctx.tenantId} and f.asset_id = w.id and f.status = 'open'
      join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id
      cross join lateral (select ${likelihood} as likelihood, ${cases('f.grade', CERTAINTY)} as certainty) l
      cross join lateral (select ${isExploited} as exploited, l.likelihood, l.certainty,
        f.score / 100.0::float8 * l.likelihood * l.certainty as p) w0`
