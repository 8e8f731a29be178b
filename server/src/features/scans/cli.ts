import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { parsePage } from '#platform/http/paging.ts'
import {
  cancelScan,
  createScan,
  createTarget,
  deleteTarget,
  getScan,
  listScans,
  listTargets,
  tenantOfScan,
  tenantOfTarget,
} from './scans.ts'
import type { Scan } from './scan.ts'
import { isFinished, scanTypes } from './scan-status.ts'
import type { Target } from './targets/target.ts'

export const commands: readonly Command[] = [
  {
    path: 'target create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      cidr: { value: 'RANGE', help: 'a range such as 192.0.2.0/24, at most 65,536 addresses' },
      host: { value: 'HOST', help: 'one address or host name, instead of a range' },
    },
    help: 'adds a range or a host that may be scanned',
    async run(ctx, { options }) {
      const { name = '', cidr, host } = texts(options)
      const target = await createTarget(ctx, { name, ...(cidr && { cidr }), ...(host && { host }) })
      return { json: targetJson(target), text: targetLine(target) }
    },
  },
  {
    path: 'target list',
    tenant: true,
    help: 'all scan targets, newest first',
    async run(ctx) {
      const targets = await listTargets(ctx)
      return { json: targets.map(targetJson), text: targets.map(targetLine).join('\n') }
    },
  },
  {
    path: 'target delete',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args: { id = '' } }) => tenantOfTarget(system, id),
    help: 'removes a scan target; its scans and what they found stay',
    async run(ctx, { args }) {
      await deleteTarget(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Deleted.' }
    },
  },
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

function texts(options: CommandInput['options']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(options).filter((it): it is [string, string] => typeof it[1] === 'string'),
  )
}

const targetJson = ({ id, name, kind, address, createdAt }: Target) => ({
  id,
  name,
  [kind]: address,
  created_at: createdAt,
})

const targetLine = ({ id, name, address }: Target): string => `${id}  ${address}  ${name}`

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
