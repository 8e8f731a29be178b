import type { SimulatedChange } from './simulation/change.ts'
import type { ChosenTable } from './tables/chosen-table.ts'

/** The types that the contract names, in its order. */
export const reportTypes = [
  'inventory_summary',
  'compliance_report',
  'asset_audit',
  'software_license',
  'topology',
  'budget_forecast',
  'custom',
] as const
export type ReportType = (typeof reportTypes)[number]

export const reportFormats = ['csv', 'pdf', 'excel', 'xml'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** `pending`: saved with a schedule, and not generated yet. Otherwise the status of the latest generation. */
export const reportStatuses = ['pending', 'generating', 'available', 'failed'] as const
export type ReportStatus = (typeof reportStatuses)[number]

export interface ReportFilter {
  /** Absent: all assets. Ids that the tenant does not have limit nothing and name nothing. */
  readonly assetIds?: readonly string[]
  /** A condition: of the assets that it is true of at each generation. */
  readonly where?: string
  /** As it was given; `parsePeriod` says what is understood. */
  readonly period?: string
  /** Of type `custom`: it shows what this change would do. */
  readonly simulation?: SimulatedChange
  /** Of type `custom`: its table. Absent: the assets with the columns of the audit. */
  readonly table?: ChosenTable
}

/** Instants are RFC 3339 in UTC. */
export interface Report {
  readonly id: string
  readonly name: string
  readonly type: ReportType
  readonly format: ReportFormat
  readonly filter: ReportFilter
  readonly status: ReportStatus
  readonly createdBy: { readonly kind: string; readonly id: string; readonly name?: string }
  readonly createdAt: string
  readonly schedule: string | null
  readonly zone: string | null
  readonly nextRunAt: string | null
  /** Who gets the file of a scheduled generation. */
  readonly recipients: readonly string[]
  /** The condition of the role or key that made it: it shows only assets for which it is true. Null: all of them. */
  readonly limitedTo: string | null
  /** Why the schedule stands still. */
  readonly pausedBecause: string | null
}

export interface Snapshot {
  readonly id: string
  readonly reportId: string
  readonly status: Exclude<ReportStatus, 'pending'>
  /** How far it is, or why it failed. */
  readonly message: string
  readonly requestedAt: string
  readonly takenAt: string | null
  readonly generatedAt: string | null
  /** Of the main table. */
  readonly rowCount: number | null
  readonly fileName: string | null
  readonly fileBytes: number | null
  /** SHA-256, hexadecimal. */
  readonly fileDigest: string | null
  readonly datasetDigest: string | null
  readonly renderer: number | null
  readonly isPinned: boolean
  readonly isScheduled: boolean
}

interface FileKind {
  readonly extension: string
  readonly mediaType: string
}

export const fileKinds: Readonly<Record<ReportFormat, FileKind>> = {
  csv: { extension: 'csv', mediaType: 'text/csv' },
  pdf: { extension: 'pdf', mediaType: 'application/pdf' },
  excel: {
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  xml: { extension: 'xml', mediaType: 'application/xml' },
}

/** `report-<id>-20261122T043000Z.xlsx`: the contract's name of a file. */
export function fileNameOf({ id, format }: Pick<Report, 'id' | 'format'>, generatedAt: Date): string {
  const stamp = generatedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `report-${id}-${stamp}.${fileKinds[format].extension}`
}
