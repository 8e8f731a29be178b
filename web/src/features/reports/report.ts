import { inTenant } from '#api/tenant-url.ts'
import type { ReportFormat, ReportType } from '#api/generated/enums-and-inputs.ts'
import { decimal } from '#lib/numbers.ts'

/** In the order in which they are offered. */
export const typeTitles: Readonly<Record<ReportType, string>> = {
  inventory_summary: 'Inventory summary',
  asset_audit: 'Asset audit',
  software_license: 'Software licences',
  topology: 'Topology',
  budget_forecast: 'Budget forecast',
  compliance_report: 'Compliance report',
  custom: 'Custom table',
}

export const formatTitles: Readonly<Record<ReportFormat, string>> = {
  pdf: 'PDF',
  excel: 'Excel',
  csv: 'CSV',
  xml: 'XML',
}

/** The file of the latest good snapshot, or of the one named. */
export function fileUrl(reportId: string, snapshotId?: string): string {
  const query = new URLSearchParams({
    id: reportId,
    ...(snapshotId !== undefined && { snapshot: snapshotId }),
  })
  return inTenant(`/files/report?${query.toString()}`)
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** `1.2 MB`; a thousand of one is one of the next. */
export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1_000 ** power
  return `${value < 10 && power > 0 ? decimal(value, 1) : Math.round(value)} ${UNITS[power]}`
}

/** Cron for what most reports need, by its words. */
export const usualSchedules: Readonly<Record<string, string>> = {
  '0 6 * * *': 'Every day at 06:00',
  '0 6 * * 1': 'Every Monday at 06:00',
  '0 6 1 * *': 'On the first of every month at 06:00',
  '0 6 1 1,4,7,10 *': 'On the first of every quarter at 06:00',
}

/** `Every Monday at 06:00, Europe/Berlin.` */
export function scheduleText(cron: string | null, zone: string | null): string {
  if (cron === null) return 'Generated when somebody asks for it.'
  return `${usualSchedules[cron] ?? cron}, ${zone}.`
}
