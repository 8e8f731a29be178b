import type { ReportScheduleInput } from '#api/generated/enums-and-inputs.ts'
import type { ReportRow } from '#api/generated/reports.ts'
import { zone } from '#lib/dates.ts'
import { usualSchedules } from './report.ts'

/** Of a form: a usual cron, or `OTHER` and one that is typed. */
export interface ScheduleValues {
  readonly [field: string]: string
  readonly often: string
  readonly cron: string
  readonly zone: string
  /** Separated by commas or spaces. */
  readonly recipients: string
}

export const OTHER = 'other'
const FIRST = '0 6 * * 1'

/** What the form begins with. */
export function scheduleValuesOf(
  report?: Pick<ReportRow, 'schedule' | 'zone' | 'recipients'>,
): ScheduleValues {
  const cron = report?.schedule ?? ''
  return {
    often: cron === '' ? FIRST : cron in usualSchedules ? cron : OTHER,
    cron,
    zone: report?.zone ?? zone(),
    recipients: report?.recipients.join(', ') ?? '',
  }
}

export const cronOf = ({ often, cron }: Pick<ScheduleValues, 'often' | 'cron'>): string =>
  often === OTHER ? cron : often

export const scheduleOf = (values: ScheduleValues): ReportScheduleInput => ({
  cron: cronOf(values),
  zone: values.zone,
  recipients: values.recipients.split(/[\s,;]+/).filter((it) => it !== ''),
})
