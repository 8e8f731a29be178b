import type { Command } from '#platform/cli/command.ts'
import { parsePage } from '#platform/http/paging.ts'
import { listTouches } from '../touches/touches.ts'
import type { DeviceTouch } from '../touches/device-touch.ts'
import { texts } from './targets.ts'

export const touchCommands: readonly Command[] = [
  {
    path: 'scan touches',
    tenant: true,
    options: {
      asset: { value: 'ID', help: 'of this asset alone' },
      address: { value: 'IP', help: 'of this address alone' },
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'what scans sent to devices, and why, newest first',
    async run(ctx, { options }) {
      const { asset: assetId, address } = texts(options)
      const { items } = await listTouches(ctx, { assetId, address }, parsePage(options))
      return { json: items.map(touchJson), text: items.map(touchLine).join('\n') }
    },
  },
]

const touchJson = (it: DeviceTouch) => ({
  scan_id: it.scanId,
  scan_type: it.scanType,
  address: it.address,
  asset_id: it.assetId,
  began_at: it.beganAt,
  seconds: it.seconds,
  packets: it.packets,
  probes: it.probes,
  logins: it.logins,
  is_estimated: it.isEstimated,
  cause: it.cause,
  run_id: it.run?.id ?? null,
  run: it.run?.name ?? null,
  started_by: it.startedBy,
})

function touchLine({
  beganAt,
  address,
  scanType,
  packets,
  isEstimated,
  probes,
  logins,
  seconds,
  run,
  startedBy,
}: DeviceTouch) {
  const counts = `${isEstimated ? 'about ' : ''}${packets} packets, ${probes} probes, ${logins} logins, ${seconds.toFixed(1)} s`
  const why = run ? `${run.name} (${run.cause})` : `scan by ${startedBy}`
  return `${new Date(beganAt).toISOString()}  ${address}  ${scanType}: ${counts}  ${why}`
}
