import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Lines of a CSV file as `csvRow` (formats/csv.ts) makes them, but made where the rows are: each export has a core there. */
export interface CsvLines {
  readonly text: string
  readonly count: number
  readonly total: number
}

/** Text that no spreadsheet runs as a formula, with quotes where it needs them. */
const textCell = (text: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  case when ${text} ~ '[",\r\n]'
    then '"' || case when ${text} ~ ${FORMULA_START} then '''' else '' end || replace(${text}, '"', '""') || '"'
    when ${text} ~ ${FORMULA_START} then '''' || ${text}
    else ${text} end)`
const FORMULA_START = '^[-=+@\t\r]'

/** The session is in UTC. */
const instantCell = (instant: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`replace(replace(${instant}::text, ' ', 'T'), '+00', 'Z')`

const cells = {
  id: sql`a.id`,
  name: textCell(sql`a.name`),
  assetType: sql`a.asset_type`,
  deviceType: sql`coalesce(a.device_type, 'unknown')`,
  ipAddress: textCell(sql`a.ip_address`),
  macAddress: textCell(sql`a.mac_address`),
  os: textCell(sql`a.os`),
  hostname: textCell(sql`a.hostname`),
  serial: textCell(sql`a.serial`),
  vendor: textCell(sql`a.vendor`),
  model: textCell(sql`a.model`),
  riskScore: sql`a.risk_score`,
  confidence: sql`a.confidence`,
  tags: textCell(sql`array_to_string(a.tags, ';')`),
  firstSeen: instantCell(sql`a.first_seen`),
  lastSeen: instantCell(sql`a.last_seen`),
} as const

export type CsvCell = keyof typeof cells

/** Living assets, the first `most` by last_seen descending, then by id descending. `columns` are at least one. */
export function csvLines(ctx: Ctx, columns: readonly CsvCell[], most: number): Promise<CsvLines> {
  const line = sql.join(
    columns.map((it) => sql`${cells[it]}`),
    sql` || ',' || `,
  )
  return ctx.db.one(sql<CsvLines>`
    with page as materialized (
      select id, last_seen from assets where tenant_id = ${ctx.tenantId} and archived_at is null
      order by last_seen desc, id desc limit ${most}
    )
    select count(*) as count, coalesce(string_agg(each.line, '' order by page.last_seen desc, page.id desc), '') as text,
      (select coalesce(sum(n), 0)::bigint from asset_counts where tenant_id = ${ctx.tenantId}) as total
    from page cross join lateral (
      select ${line} || E'\\r\\n' as line from assets a where a.tenant_id = ${ctx.tenantId} and a.id = page.id limit 1
    ) each`)
}
