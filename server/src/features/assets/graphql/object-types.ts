import { deviceTypes } from '#features/recognition/recognition.ts'
import type { Field, FieldMaker, Schema } from '#platform/graphql/schema.ts'
import type { Asset } from '../asset.ts'
import { attributeNames } from '../attributes/source-precedence.ts'
import { assetSorts, freshnesses, weeklyChanges } from '../listing/asset-query.ts'
import { customFieldKinds, type CustomField, type CustomValue } from '../editing/custom-field.ts'
import type { PossibleDuplicate } from '../listing/possible-duplicates.ts'
import { assetTypes } from '../observation.ts'
import type { UnlinkPreview } from '../editing/merge-preview.ts'
import { addReasonType, addRecordTypes } from './details.ts'
import { addRecognition } from './recognition.ts'

export type AssetTypes = ReturnType<typeof addTypes>

/** GraphQL types of assets. An asset in a list has no nested fields that would need a query for each item. */
export function addTypes(schema: Schema) {
  const enums = addEnums(schema)
  const asset = schema.objectRef<Asset>('Asset').implement({ fields: assetFields(enums) })
  const reason = addReasonType(schema)
  const suggestion = addSuggestion(schema)
  const customField = addCustomFieldType(schema, enums)
  return {
    ...enums,
    asset,
    customField,
    customValue: schema.objectRef<CustomValue>('CustomFieldValue').implement({
      fields: (t) => ({
        field: t.field({ type: customField, resolve: (value) => value }),
        value: t.expose('value', { type: 'JSON' }),
      }),
    }),
    duplicate: schema.objectRef<PossibleDuplicate>('PossibleDuplicate').implement({
      fields: (t) => ({
        assetA: t.expose('assetA', { type: asset }),
        assetB: t.expose('assetB', { type: asset }),
        score: t.exposeFloat('score', {
          description: 'How much speaks for a merge, up to 1; 0 when nothing does but a suggestion.',
        }),
        suggestion: t.expose('suggestion', {
          type: suggestion,
          nullable: true,
          description: 'That a person or a flow takes them for one.',
        }),
        reasons: t.field({ type: [reason], resolve: ({ reasons }) => reasons }),
        veto: t.expose('veto', {
          type: 'JSON',
          nullable: true,
          description: 'The veto that prevents an automatic merge.',
        }),
      }),
    }),
    unlinkPreview: schema.objectRef<UnlinkPreview>('UnlinkPreview').implement({
      fields: (t) => ({
        remaining: t.expose('remaining', { type: asset }),
        separated: t.field({ type: [asset], resolve: ({ separated }) => separated }),
      }),
    }),
    recognition: addRecognition(schema, enums),
    ...addRecordTypes(schema, enums, reason),
  }
}

const addSuggestion = (schema: Schema) =>
  schema.objectRef<NonNullable<PossibleDuplicate['suggestion']>>('MergeSuggestion').implement({
    description: 'That a person or a flow takes two assets for one.',
    fields: (t) => ({
      by: t.exposeString('by', { description: 'The address of a person, or kind and id.' }),
      flowId: t.expose('flowId', {
        type: 'ID',
        nullable: true,
        description: 'Of the flow that suggested it.',
      }),
      at: t.expose('at', { type: 'DateTime' }),
      reason: t.exposeString('reason'),
    }),
  })

export type Enums = ReturnType<typeof addEnums>

const addEnums = (schema: Schema) => ({
  assetType: schema.enumType('AssetType', { values: assetTypes }),
  deviceType: schema.enumType('DeviceType', { values: deviceTypes }),
  attribute: schema.enumType('AttributeName', { values: attributeNames }),
  freshness: schema.enumType('Freshness', {
    description:
      'When last seen: within a day, a week, a month, or longer ago. Each leaves out those before it.',
    values: freshnesses,
  }),
  weeklyChange: schema.enumType('AssetTurn', {
    description: 'First seen in the last seven days, or seen for the last time in the seven before.',
    values: weeklyChanges,
  }),
  sort: schema.enumType('AssetSort', { values: assetSorts }),
  direction: schema.enumType('Direction', { values: ['asc', 'desc'] as const }),
  customFieldKind: schema.enumType('CustomFieldKind', { values: customFieldKinds }),
})

/** An empty string means that no source reported a value. */
export const assetFields =
  ({ assetType, deviceType }: Enums) =>
  (t: FieldMaker<Asset>): Record<keyof Asset, Field> => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    assetType: t.expose('assetType', { type: assetType }),
    deviceType: t.expose('deviceType', {
      type: deviceType,
      description: 'What the device is for: as people set it, else as recognition reads it.',
    }),
    ipAddress: t.exposeString('ipAddress', { description: 'Empty: not collected. So for the six below.' }),
    macAddress: t.exposeString('macAddress'),
    os: t.exposeString('os'),
    hostname: t.exposeString('hostname'),
    serial: t.exposeString('serial'),
    vendor: t.exposeString('vendor'),
    model: t.exposeString('model'),
    riskScore: t.exposeFloat('riskScore', { description: '0 to 100.' }),
    confidence: t.exposeFloat('confidence', {
      description: '0 to 1: how certain device recognition is.',
    }),
    tags: t.field({ type: ['String'], resolve: ({ tags }) => tags }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Lists, counts and risk leave archived assets out, until a source sees them again.',
    }),
    archivedBy: t.exposeString('archivedBy', {
      nullable: true,
      description: '`rule`, or who archived it.',
    }),
    staleSince: t.expose('staleSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when no source has seen it for longer than expected; checks and the overview of risk leave it out until one does.',
    }),
  })

function addCustomFieldType(schema: Schema, enums: Pick<ReturnType<typeof addEnums>, 'customFieldKind'>) {
  return schema.objectRef<CustomField>('CustomField').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      key: t.exposeString('key', {
        description: 'Its name in conditions, imports and exports is `custom.` and this.',
      }),
      kind: t.expose('kind', { type: enums.customFieldKind }),
      choices: t.field({
        type: ['String'],
        nullable: true,
        description: 'Of a text: the values that it may have; null: any.',
        resolve: ({ choices }) => choices,
      }),
    }),
  })
}
