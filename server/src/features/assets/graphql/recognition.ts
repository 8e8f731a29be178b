import { doubts, type DeviceType, type Match } from '#features/recognition/recognition.ts'
import type { EnumOf, FieldMaker, Schema, TypeOf } from '#platform/graphql/schema.ts'
import { deciders } from '../recognition/device-identification.ts'
import { suggestedScans, type ReadSignal, type RecognitionProof } from '../recognition/recognition-proof.ts'

type Enums = { readonly deviceType: EnumOf<DeviceType> }
type Recognised = NonNullable<RecognitionProof['recognised']>

/** How the device type, vendor and model of an asset were decided. */
export function addRecognition(schema: Schema, enums: Enums): TypeOf<RecognitionProof> {
  const match = schema.objectRef<Match>('RecognitionMatch').implement({
    description: 'The result of one signal.',
    fields: (t) => recognitionFields<Match>(t, enums),
  })
  const recognised = schema.objectRef<Recognised>('Recognised').implement({
    fields: (t) => recognitionFields<Recognised>(t, enums),
  })
  const signal = schema.objectRef<ReadSignal>('RecognitionSignal').implement({
    fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  })
  const decider = schema.enumType('RecognitionDecider', {
    description: 'A person who set the type, the source that manages the asset, or signals.',
    values: deciders,
  })
  const doubt = schema.enumType('RecognitionDoubt', { values: doubts })
  const scan = schema.enumType('TellingScan', { values: suggestedScans })
  return schema.objectRef<RecognitionProof>('AssetRecognition').implement({
    description: 'Device type, vendor and model, and how they were decided.',
    fields: (t) => ({
      deviceType: t.expose('deviceType', { type: enums.deviceType }),
      vendor: t.exposeString('vendor'),
      model: t.exposeString('model'),
      confidence: t.exposeFloat('confidence', {
        description: '1 if a person or the managing source decided.',
      }),
      decidedBy: t.expose('decidedBy', { type: decider }),
      recognised: t.expose('recognised', {
        type: recognised,
        nullable: true,
        description: 'The result of the signals alone. Null if recognition was not needed.',
      }),
      matches: t.field({ type: [match], resolve: ({ matches }) => matches }),
      signals: t.field({ type: [signal], resolve: ({ signals }) => signals }),
      doubts: t.field({
        type: [doubt],
        description: 'Why the confidence is not higher.',
        resolve: (it) => it.doubts,
      }),
      tellMore: t.field({
        type: [scan],
        description: 'Kinds of scan that would add signals.',
        resolve: ({ tellMore }) => tellMore,
      }),
    }),
  })
}

const recognitionFields = <T extends Omit<Match, 'matches'>>(t: FieldMaker<T>, { deviceType }: Enums) => ({
  deviceType: t.field({ type: deviceType, resolve: (it) => it.deviceType }),
  vendor: t.string({ resolve: ({ vendor }) => vendor }),
  model: t.string({ resolve: ({ model }) => model }),
  confidence: t.float({ resolve: ({ confidence }) => confidence }),
  source: t.string({
    description: 'mac_oui, snmp_sysobjectid, ssh and so on.',
    resolve: ({ source }) => source,
  }),
})
