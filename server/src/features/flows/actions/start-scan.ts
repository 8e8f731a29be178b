import { Type } from 'typebox'
import type { ScanType } from '#features/scans/scan-status.ts'
import { createScan, scanTypes } from '#features/scans/scans.ts'
import type { InnerAction } from './action.ts'

export const startScanAction: InnerAction = {
  name: 'start_scan',
  kind: 'inner',
  label: 'Start a scan',
  sentence: 'Queues a scan of a target.',
  settings: Type.Object({
    target: Type.String({ title: 'Target', pick: 'scanTarget', format: 'uuid' }),
    type: Type.Union(
      scanTypes.map((it) => Type.Literal(it)),
      { title: 'Type' },
    ),
  }),
  templates: [],
  outputs: ['scanId'],
  permission: 'scans:write',
  emits: ['SCAN_COMPLETED'],
  async run(ctx, settings) {
    const { target, type } = settings as { target: string; type: ScanType }
    const { id } = await createScan(ctx, { type, targetId: target })
    return { scanId: id }
  },
}
