import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { budgetCommands } from './cli-budget.ts'
import { tableOf, tableOptions } from './tables/cli-options.ts'
import { scheduleCommands } from './cli-schedules.ts'
import { reportFormats, reportTypes, type Report } from './report.ts'
import {
  createReport,
  deleteReport,
  downloadReport,
  getReport,
  latestSnapshots,
  listReports,
  runReport,
} from './reports.ts'
import { snapshotProof } from './verifying/snapshot-proof.ts'
import { verifySnapshot } from './verifying/verification.ts'

const wait = { flag: true, help: 'come back when it is generated' } as const

export const commands: readonly Command[] = [
  {
    path: 'report create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      type: { value: 'TYPE', required: true, help: `one of ${reportTypes.join(', ')}` },
      format: { value: 'FORMAT', help: `one of ${reportFormats.join(', ')}; csv unless given` },
      asset: { value: 'ID', many: true, help: 'only this asset; may be repeated' },
      where: { value: 'CONDITION', help: 'only assets that it is true of, at each generation' },
      cron: { value: 'CRON', help: 'generate it at these times, and not now' },
      zone: { value: 'ZONE', help: 'of the times; UTC unless given' },
      recipient: { value: 'WHO', many: true, help: 'who gets what is generated at these times' },
      ...tableOptions,
      period: { value: 'PERIOD', help: '2026, 2026-Q3, 2026-09, 2026-01-01/2026-03-31 or last-30-days' },
      wait,
    },
    help: 'saves a report and generates it; a running server does the work',
    async run(ctx, { options }) {
      const { name = '', type = '', format, asset, where, period } = texts(options)
      const [assetIds, schedule] = [asset?.split('\n'), scheduleOf(texts(options))]
      const report = await createReport(ctx, {
        name,
        type,
        format,
        assetIds,
        where,
        period,
        schedule,
        table: tableOf(texts(options)),
      })
      return reportResult(ctx, options['wait'] ? await generated(ctx, report.id) : report)
    },
  },
  {
    path: 'report run',
    args: ['id'],
    tenant: true,
    options: { wait },
    help: 'generates a report anew, or joins the generation that is under way',
    async run(ctx, { args: { id = '' }, options }) {
      await runReport(ctx, id)
      return reportResult(ctx, options['wait'] ? await generated(ctx, id) : await getReport(ctx, id))
    },
  },
  {
    path: 'report list',
    tenant: true,
    options: {
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'reports and how their latest generation went, newest first',
    async run(ctx, { options }) {
      const { items } = await listReports(ctx, parsePage(options))
      return { json: items.map(reportJson), text: items.map(reportLine).join('\n') }
    },
  },
  {
    path: 'report download',
    args: ['id'],
    tenant: true,
    options: { output: { value: 'FILE', help: 'where to write it; its own name unless given' } },
    help: 'writes the file of the latest good generation',
    run: async (ctx, { args: { id = '' }, options }) => download(ctx, id, texts(options)['output']),
  },
  {
    path: 'report verify',
    args: ['snapshot'],
    tenant: true,
    help: 'makes the file of a snapshot again from its dataset and compares the two',
    async run(ctx, { args: { snapshot = '' } }) {
      const { snapshotId, reportId, fileName, fileDigest, faults } = await verifySnapshot(ctx, snapshot)
      const json = { snapshot: snapshotId, report: reportId, file: fileName, sha256: fileDigest, faults }
      if (faults.length > 0) return { json, text: faults.join('\n'), isBad: true }
      return { json, text: `${fileName} is what its dataset gives: ${fileDigest}` }
    },
  },
  {
    path: 'report proof',
    args: ['snapshot'],
    tenant: true,
    help: 'a snapshot as a file that anybody can check: rollcall verify FILE --file REPORT',
    async run(ctx, { args: { snapshot = '' } }) {
      const proof = await snapshotProof(ctx, snapshot)
      return { json: proof, text: JSON.stringify(proof) }
    },
  },
  {
    path: 'report delete',
    args: ['id'],
    tenant: true,
    help: 'removes a report and all that was generated of it',
    async run(ctx, { args: { id = '' } }) {
      await deleteReport(ctx, id)
      return { json: { id }, text: 'Deleted.' }
    },
  },
  ...scheduleCommands,
  ...budgetCommands,
]

function scheduleOf({ cron, zone = 'UTC', recipient }: Readonly<Record<string, string>>) {
  return cron === undefined ? undefined : { cron, zone, recipients: recipient?.split('\n') ?? [] }
}

const LOOK_MS = 500

async function generated(ctx: Ctx, id: string): Promise<Report> {
  for (;;) {
    const report = await getReport(ctx, id)
    if (report.status !== 'generating') return report
    await sleep(LOOK_MS)
  }
}

async function reportResult(ctx: Ctx, report: Report): Promise<CommandResult> {
  if (report.status !== 'failed') return { json: reportJson(report), text: reportLine(report) }
  const [latest] = await latestSnapshots(ctx, [report.id])
  const reason = latest?.message ?? ''
  return { json: { ...reportJson(report), reason }, text: `${reportLine(report)}: ${reason}`, isBad: true }
}

async function download(ctx: Ctx, id: string, output: string | undefined): Promise<CommandResult> {
  const { snapshot, content, bytes } = await downloadReport(ctx, id)
  const file = output ?? snapshot.fileName
  try {
    // an existing file is somebody's
    await pipeline(content, createWriteStream(file, { flags: output === undefined ? 'wx' : 'w' }))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || error instanceof Refusal) throw error
    throw new Refusal(400, 'invalid_request', `output: ${file} cannot be written (${code})`, {
      field: 'output',
    })
  }
  const { id: snapshotId, generatedAt, fileDigest } = snapshot
  return {
    json: { file, bytes, snapshot: snapshotId, generated_at: generatedAt, sha256: fileDigest },
    text: `${file}: ${bytes} bytes, snapshot ${snapshotId} of ${generatedAt}`,
  }
}

function texts(options: CommandInput['options']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(options).filter((it): it is [string, string] => typeof it[1] === 'string'),
  )
}

const reportJson = ({ id, name, type, format, status, createdAt }: Report) => ({
  id,
  name,
  type,
  format,
  status,
  created_at: createdAt,
})

const reportLine = ({ id, name, type, format, status }: Report): string =>
  `${id}  ${status}  ${type} (${format})  ${name}`
