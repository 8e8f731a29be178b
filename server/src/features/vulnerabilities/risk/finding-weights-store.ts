import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import {
  CERTAINTY,
  CRITICALITY,
  END_OF_LIFE,
  EPSS_NEUTRAL,
  EXPLOITED_FLOOR,
  EXPLOITED_MIN,
  EXPLOITED_SHARE,
  EXPOSURE,
  SSVC_LIKELIHOOD,
} from './risk-score.ts'

/** The weight of open findings in SQL, by the formula of `risk-score.ts`. */

const cases = (column: string, values: Readonly<Record<string, number>>) =>
  sql`case ${sql.ref(column)} ${sql.join(
    Object.entries(values).map(([name, value]) => sql`when ${sql.lit(name)} then ${sql.lit(value)}::float8`),
    sql` `,
  )} end`

/** Whether the vulnerability `v` is known to be exploited: a KEV catalogue or SSVC says so. */
export const isExploited = sql`(v.kev_added_on is not null or v.ssvc_exploitation is not distinct from 'active')`

const likelihood = sql`case when ${isExploited} then 1::float8
  else greatest(${sql.lit(EXPLOITED_MIN)}::float8
      + (1 - ${sql.lit(EXPLOITED_MIN)}::float8) * sqrt(coalesce(v.epss, ${sql.lit(EPSS_NEUTRAL)}::float8)),
    case when v.ssvc_exploitation = 'poc' then ${bound('poc')} when v.ssvc_exploitation = 'none' then ${bound('none')} end)
  end`

function bound(exploitation: keyof typeof SSVC_LIKELIHOOD): ReturnType<typeof sql> {
  const { automatable, byHand } = SSVC_LIKELIHOOD[exploitation]
  return sql`case when v.ssvc_is_automatable then ${sql.lit(automatable)}::float8 else ${sql.lit(byHand)}::float8 end`
}

/** The weight of a finding, 0 to 1, over `weighing`. */
export const findingWeight = sql`case when w0.exploited
  then greatest(w0.p, ${sql.lit(EXPLOITED_FLOOR)}::float8 + ${sql.lit(EXPLOITED_SHARE)}::float8 * w0.p) else w0.p end`

/** What the weight of a finding `f` of the vulnerability `v` is made of; to be joined to both. */
export const weighing = sql`
      cross join lateral (select ${likelihood} as likelihood, ${cases('f.grade', CERTAINTY)} as certainty) l
      cross join lateral (select ${isExploited} as exploited, l.likelihood, l.certainty,
        f.score / 100.0::float8 * l.likelihood * l.certainty as p) w0`

/** What an asset's criticality, exposure and end of life multiply its risk by; the row `alias` has all three. */
export const factorOf = (alias: string) =>
  sql`${cases(`${alias}.criticality`, CRITICALITY)} * ${cases(`${alias}.exposure`, EXPOSURE)}
    * case when ${sql.ref(`${alias}.is_end_of_life`)} then ${sql.lit(END_OF_LIFE)}::float8 else 1 end`

/** The open findings of the assets in `wanted (id)`, with their weights `p`. */
export const weighedFindings = (ctx: Ctx) => sql`
      select f.asset_id, f.id, f.cve_id, f.software, f.grade, f.score, v.epss, w0.exploited,
        w0.likelihood, w0.certainty, ${findingWeight} as p
      from wanted w join findings f on f.tenant_id = ${ctx.tenantId} and f.asset_id = w.id and f.status = 'open'
      join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id
      ${weighing}`
