import type { Command } from '#platform/cli/command.ts'
import { cellText } from './formats/csv.ts'
import { compareSnapshots } from './comparing/compare-snapshots.ts'
import type { ComparedRow } from './comparing/compare-rows.ts'
import { pinSnapshot } from './pinning.ts'
import { scheduleReport } from './schedules/schedules.ts'

/** Commands about what becomes of reports in the course of time. */
export const scheduleCommands: readonly Command[] = [
  {
    path: 'report schedule',
    args: ['id'],
    tenant: true,
    options: {
      cron: { value: 'CRON', help: 'minute hour day month weekday, such as "0 6 * * 1"' },
      zone: { value: 'ZONE', help: 'such as Europe/Berlin; UTC unless given' },
      recipient: {
        value: 'WHO',
        many: true,
        help: 'address of a member or confirmed channel; may be repeated',
      },
      off: { flag: true, help: 'no longer at set times' },
    },
    help: 'generates a report at set times, and sends its file',
    async run(ctx, { args: { id = '' }, options }) {
      const text = (name: string): string => (typeof options[name] === 'string' ? options[name] : '')
      const recipients = text('recipient').split('\n').filter(Boolean)
      const schedule = { cron: text('cron'), zone: text('zone') || 'UTC', recipients }
      const report = await scheduleReport(ctx, id, options['off'] ? null : schedule)
      const { schedule: cron, zone, nextRunAt } = report
      return {
        json: { id, cron, zone, next_run_at: nextRunAt, recipients: report.recipients },
        text: nextRunAt === null ? 'No longer at set times.' : `Next: ${nextRunAt}`,
      }
    },
  },
  {
    path: 'report pin',
    args: ['snapshot'],
    tenant: true,
    options: { off: { flag: true, help: 'no longer' } },
    help: 'a pinned snapshot is not removed with age',
    async run(ctx, { args: { snapshot = '' }, options }) {
      const { isPinned } = await pinSnapshot(ctx, snapshot, options['off'] !== true)
      return { json: { snapshot, is_pinned: isPinned }, text: isPinned ? 'Pinned.' : 'No longer pinned.' }
    },
  },
  {
    path: 'report compare',
    args: ['from', 'to'],
    tenant: true,
    help: 'what is different between two snapshots of a report, in their main tables',
    async run(ctx, { args: { from = '', to = '' } }) {
      const found = await compareSnapshots(ctx, from, to)
      return {
        json: found,
        text: lines(found.added, '+')
          .concat(lines(found.gone, '-'), changes(found.changed), `${found.unchanged} unchanged`)
          .join('\n'),
      }
    },
  },
]

const lines = (rows: readonly ComparedRow[], sign: string): string[] =>
  rows.map(({ name, key }) => `${sign} ${name}  ${key}`)

const changes = (rows: readonly ComparedRow[]): string[] =>
  rows.flatMap(({ name, key, cells }) => [
    `~ ${name}  ${key}`,
    ...cells.map(({ column, before, after }) => `    ${column}: ${cellText(before)} → ${cellText(after)}`),
  ])
