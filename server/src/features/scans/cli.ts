import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { parsePage } from '#platform/http/paging.ts'
import { targetCommands, texts } from './cli/targets.ts'
import { touchCommands } from './cli/touches.ts'
import { cancelScan, createScan, getScan, listScans, tenantOfScan, tenantOfTarget } from './scans.ts'
import type { Scan } from './scan.ts'
import { isFinished, scanTypes } from './scan-status.ts'

export const commands: readonly Command[] = [
  ...targetCommands,
  {
    path: 'scan start',
    tenant: true,
    tenantOf: (system, { options }) => tenantOfTarget(system, String(options['target'])),
    options: {
      target: { value: 'ID', required: true, help: 'a scan target; see target list' },
      type: { value: 'TYPE', help: `one of ${scanTypes.join(', ')}; sweep unless given` },
      wait: { flag: true, help: 'come back when it is finished' },
    },
    help: 'starts a scan; a running server does the work',
    async run(ctx, { options }) {
      const { target = '', type = 'sweep' } = texts(options)
      const scan = await createScan(ctx, { type, targetId: target })
      return scanResult(options['wait'] ? await finished(ctx, scan) : scan)
    },
  },
  {
    path: 'scan list',
    tenant: true,
    options: {
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'scans, newest first',
    async run(ctx, { options }) {
      const { items } = await listScans(ctx, parsePage(options))
      return { json: items.map(scanJson), text: items.map(scanLine).join('\n') }
    },
  },
  {
    path: 'scan cancel',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args: { id = '' } }) => tenantOfScan(system, id),
    help: 'ends a scan; what it found stays',
    run: async (ctx, { args }) => scanResult(await cancelScan(ctx, args['id'] ?? '')),
  },
  ...touchCommands,
]

const LOOK_MS = 500
/** A worker takes a job at once; so many looks without one are worth a word. */
const LOOKS_PATIENT = 10

/** Waits for the end; a person at a terminal sees one line that changes. */
async function finished(ctx: Ctx, started: Scan): Promise<Scan> {
  const { stderr } = process
  let scan = started
  for (let looks = 1; !isFinished(scan.status); looks += 1) {
    await sleep(LOOK_MS)
    scan = await getScan(ctx, scan.id)
    if (looks === LOOKS_PATIENT && scan.status === 'pending')
      stderr.write(
        'No worker has taken the scan yet. Is a server running (rollcall serve), with the role worker?\n',
      )
    if (stderr.isTTY) stderr.write(`\r\x1b[K${scan.status}: ${scan.message}`)
  }
  if (stderr.isTTY) stderr.write('\r\x1b[K')
  return scan
}

function scanResult(scan: Scan): CommandResult {
  const result = { json: scanJson(scan), text: scanLine(scan) }
  return scan.status === 'failed' ? { ...result, isBad: true } : result
}

const scanJson = (scan: Scan) => ({
  id: scan.id,
  type: scan.type,
  target: scan.targetAddress,
  status: scan.status,
  message: scan.message,
  asset_count: scan.assetCount,
  created_at: scan.createdAt,
  started_at: scan.startedAt,
  finished_at: scan.finishedAt,
})

const scanLine = ({ id, type, targetAddress, status, message }: Scan): string =>
  `${id}  ${type} ${targetAddress}  ${status}: ${message}`
