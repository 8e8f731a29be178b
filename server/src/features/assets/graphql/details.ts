import type { EnumOf, Schema, TypeOf } from '#platform/graphql/schema.ts'
import type { AttributeName } from '../attributes/source-precedence.ts'
import type { Reason } from '../identity/evidence.ts'
import type {
  ExplainedIdentifier,
  ExplainedLink,
  ExplainedObservation,
  Explanation,
} from '../details/explain-asset.ts'
import type { Interface } from '../details/network-interfaces.ts'
import type { ExplainedAttribute, ExplainedOffer } from '../attributes/candidate-values.ts'

/** GraphQL types of the details of one asset. */

export const addReasonType = (schema: Schema): TypeOf<Reason> =>
  schema.objectRef<Reason>('EvidenceReason').implement({
    fields: (t) => ({
      group: t.exposeString('group'),
      type: t.exposeString('type'),
      value: t.exposeString('value'),
      canBeRemembered: t.boolean({
        description: 'It is the name of two phones: mergeAssetsByName holds for every later one too.',
        resolve: ({ canBeRemembered = false }) => canBeRemembered,
      }),
      weight: t.exposeFloat('weight'),
    }),
  })

export function addRecordTypes(
  schema: Schema,
  { attribute }: { readonly attribute: EnumOf<AttributeName> },
  reason: TypeOf<Reason>,
) {
  return {
    observation: addObservation(schema),
    attributeOffers: addAttribute(schema, attribute),
    link: schema.objectRef<ExplainedLink>('AssetLink').implement({
      description: 'Why two observations are of one asset.',
      fields: (t) => ({
        because: t.exposeString('because', { description: 'person, evidence or address' }),
        a: t.exposeID('a', { description: 'An observation.' }),
        b: t.exposeID('b', { description: 'An observation.' }),
        score: t.exposeFloat('score'),
        reasons: t.field({ type: [reason], resolve: ({ reasons }) => reasons }),
      }),
    }),
    constraint: addConstraint(schema),
    ignored: schema.objectRef<Explanation['ignored'][number]>('IgnoredValue').implement({
      description: 'A value that is no evidence, because several machines share it.',
      fields: (t) => ({
        type: t.exposeString('type'),
        value: t.exposeString('value'),
        why: t.expose('why', { type: 'JSON' }),
      }),
    }),
    interface: schema.objectRef<Interface>('AssetInterface').implement({
      fields: (t) => ({
        mac: t.exposeString('mac', {
          description: 'Empty: no source reported which interface has these addresses.',
        }),
        addresses: t.field({ type: ['String'], resolve: ({ addresses }) => addresses }),
        observationIds: t.field({ type: ['ID'], resolve: ({ observationIds }) => observationIds }),
        lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
      }),
    }),
  }
}

const addConstraint = (schema: Schema) =>
  schema.objectRef<Explanation['constraints'][number]>('AssetConstraint').implement({
    description: 'A decision of a person on two observations.',
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'must_link or cannot_link' }),
      a: t.exposeID('a'),
      b: t.exposeID('b'),
      actor: t.exposeString('actor', { description: 'Kind and id.' }),
      actorName: t.exposeString('actorName', { nullable: true, description: 'Of a person.' }),
      reason: t.exposeString('reason'),
      at: t.expose('at', { type: 'DateTime' }),
    }),
  })

function addObservation(schema: Schema): TypeOf<ExplainedObservation> {
  const identifier = schema.objectRef<ExplainedIdentifier>('ObservedIdentifier').implement({
    fields: (t) => ({
      type: t.exposeString('type'),
      value: t.exposeString('value'),
      firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
      lastSeen: t.expose('lastSeen', {
        type: 'DateTime',
        nullable: true,
        description: 'Null while the newest report has it.',
      }),
    }),
  })
  return schema.objectRef<ExplainedObservation>('Observation').implement({
    description: 'All reports of one source about the asset.',
    fields: (t) => ({
      id: t.exposeID('id'),
      sourceId: t.exposeID('sourceId'),
      source: t.exposeString('source', { description: 'Kind and name.' }),
      sourceKey: t.exposeString('sourceKey', { description: "The source's own key of the device." }),
      firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
      lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
      payload: t.expose('payload', {
        type: 'JSON',
        description: 'The merged reports: of each attribute the newest value.',
      }),
      identifiers: t.field({ type: [identifier], resolve: ({ identifiers }) => identifiers }),
    }),
  })
}

function addAttribute(schema: Schema, attribute: EnumOf<AttributeName>): TypeOf<ExplainedAttribute> {
  const offer = schema.objectRef<ExplainedOffer>('AttributeOffer').implement({
    fields: (t) => ({
      value: t.exposeString('value'),
      source: t.exposeString('source', {
        description: 'Kind and name; manual for a person, recognition for values derived from signals.',
      }),
      observationId: t.exposeID('observationId', {
        nullable: true,
        description: 'Null: a person set it, or recognition read it.',
      }),
      isLocked: t.exposeBoolean('isLocked'),
      setBy: t.exposeString('setBy', { nullable: true, description: 'The person.' }),
      reason: t.exposeString('reason', { description: 'Why it was set.' }),
      seenAt: t.expose('seenAt', { type: 'DateTime' }),
    }),
  })
  return schema.objectRef<ExplainedAttribute>('AssetAttribute').implement({
    fields: (t) => ({
      attribute: t.expose('attribute', { type: attribute }),
      value: t.string({ resolve: ({ offers }) => offers[0]?.value ?? '' }),
      offers: t.field({
        type: [offer],
        description: 'Every candidate value, the winner first.',
        resolve: ({ offers }) => offers,
      }),
    }),
  })
}
