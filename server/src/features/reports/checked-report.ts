import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { lengthOf, refuseUnprintable } from '#platform/validation/checked-name.ts'
import {
  reportFormats,
  reportTypes,
  type ReportFilter,
  type ReportFormat,
  type ReportType,
} from './report.ts'
import type { ReportSchedule } from './schedules/report-schedule.ts'
import type { SimulatedChange } from './simulation/change.ts'
import { checkedTable } from './tables/checked-table.ts'
import type { TableInput } from './tables/chosen-table.ts'

/** As a caller gives it. */
export interface NewReport {
  readonly name: string
  readonly type: string
  /** `csv` unless given. */
  readonly format?: string | undefined
  /** None or an empty list: all assets. */
  readonly assetIds?: readonly string[] | undefined
  /** A condition on assets: of those that it is true of when the report is generated. Not beside a list of assets. */
  readonly where?: string | undefined
  readonly period?: string | undefined
  /** Of type `custom`: a change that was read. */
  readonly simulation?: SimulatedChange | undefined
  /** Of type `custom`; absent: the assets with the columns of the audit. */
  readonly table?: TableInput | undefined
  /** It is generated for the first time when this is due, and not at once. */
  readonly schedule?: ReportSchedule | undefined
}

const NAME_LENGTH_MAX = 200
const PERIOD_LENGTH_MAX = 100
const ASSET_IDS_MAX = 10_000
/** What was read and may be saved. */
export interface CheckedReport {
  readonly name: string
  readonly type: ReportType
  readonly format: ReportFormat
  readonly filter: ReportFilter
}

/** Throws 400, which names the field. A condition may ask about what the actor may read. */
export async function checkedReport(ctx: Ctx, input: NewReport): Promise<CheckedReport> {
  const { name, type, format = 'csv', assetIds, period, simulation, table } = input
  if (name.trim() === '') throw invalid('name', 'must not be blank')
  if (lengthOf(name) > NAME_LENGTH_MAX)
    throw invalid('name', `must have at most ${NAME_LENGTH_MAX} characters`)
  refuseUnprintable('name', name)
  const knownType = reportTypes.find((it) => it === type)
  if (!knownType) throw invalid('type', `must be one of ${reportTypes.join(', ')}`)
  const knownFormat = reportFormats.find((it) => it === format)
  if (!knownFormat) throw invalid('format', `must be one of ${reportFormats.join(', ')}`)
  if (table && (knownType !== 'custom' || simulation))
    throw invalid('table', 'can be chosen for a report of type custom alone')
  const where = await checkedWhere(ctx, input)
  const filter = {
    ...checkedFilter(assetIds, period),
    ...(where !== undefined && { where }),
    ...(simulation && { simulation }),
    ...(table && { table: await checkedTable(ctx, table) }),
  }
  return { name, type: knownType, format: knownFormat, filter }
}

async function checkedWhere(ctx: Ctx, { where, assetIds = [] }: NewReport): Promise<string | undefined> {
  const text = where?.trim()
  if (text === undefined || text === '') return undefined
  if (assetIds.length > 0) throw invalid('where', 'cannot be given beside a list of assets')
  readCondition(await ctx.conditions.on(ctx, 'asset'), 'where', text)
  return text
}

function checkedFilter(assetIds: readonly string[] = [], period?: string): ReportFilter {
  if (assetIds.length > ASSET_IDS_MAX)
    throw invalid('asset_ids', `must have at most ${ASSET_IDS_MAX} ids, and has ${assetIds.length}`)
  const wrong = assetIds.findIndex((id) => !isUuid(id))
  if (wrong >= 0) throw invalid(`asset_ids.${wrong}`, 'must be a UUID')
  if (period !== undefined && lengthOf(period) > PERIOD_LENGTH_MAX)
    throw invalid('period', `must have at most ${PERIOD_LENGTH_MAX} characters`)
  if (period !== undefined) refuseUnprintable('period', period)
  const distinct = [...new Set(assetIds.map((id) => id.toLowerCase()))]
  return { ...(distinct.length > 0 && { assetIds: distinct }), ...(period !== undefined && { period }) }
}
