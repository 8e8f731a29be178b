import { pageArgs, pageFrom, pageType, perItem, type EnumOf, type Schema } from '#platform/graphql/schema.ts'
import type { ScanType } from '../scan-status.ts'
import { touchCauses, type DeviceTouch } from '../touches/device-touch.ts'
import { listTouches } from '../touches/touches.ts'

export function addTouches(schema: Schema, scanType: EnumOf<ScanType>): void {
  const page = pageType(schema, 'DeviceTouchPage', addTouch(schema, scanType))
  schema.queryField('deviceTouches', (t) =>
    t.field({
      type: page,
      description:
        'What scans sent to a device, newest first; of the last 400 days. Of one asset, of one address, or of all.',
      args: { assetId: t.arg.id(), address: t.arg.string(), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { assetId, address, ...args }, ctx) =>
        listTouches(ctx, { assetId: assetId ?? undefined, address: address ?? undefined }, pageFrom(args)),
    }),
  )
}

function addTouch(schema: Schema, scanType: EnumOf<ScanType>) {
  const cause = schema.enumType('TouchCause', { values: touchCauses })
  return schema.objectRef<DeviceTouch>('DeviceTouch').implement({
    description: 'What one scan did to one device, and why.',
    fields: (t) => ({
      scanId: t.exposeID('scanId'),
      scanType: t.expose('scanType', { type: scanType }),
      address: t.exposeString('address'),
      assetId: t.id({ nullable: true, resolve: ({ assetId }) => assetId }),
      beganAt: t.expose('beganAt', { type: 'DateTime' }),
      seconds: t.exposeFloat('seconds', { description: 'Between the first packet and the last.' }),
      packets: t.exposeInt('packets', { description: 'IP packets that were sent to it.' }),
      probes: t.exposeInt('probes', {
        description: 'Connections that were tried, and questions without a connection.',
      }),
      logins: t.exposeInt('logins', { description: 'Logins with a credential that was shown to it.' }),
      isEstimated: t.exposeBoolean('isEstimated', {
        description: 'The kernel did not tell the packets of some connection.',
      }),
      cause: t.expose('cause', {
        type: cause,
        description: 'scan: one that was started by itself. The others are causes of a run of a discovery.',
      }),
      runId: t.id({ nullable: true, resolve: ({ run }) => run?.id ?? null }),
      runName: t.string({ nullable: true, resolve: ({ run }) => run?.name ?? null }),
      startedBy: t.exposeString('startedBy'),
    }),
  })
}
