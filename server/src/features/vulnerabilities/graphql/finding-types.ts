import type { Field, FieldMaker, Schema } from '#platform/graphql/schema.ts'
import { findingSorts } from '../findings/finding-query.ts'
import type { FindingDetail } from '../findings/search.ts'
import { findingStatuses, grades, type ListedFinding } from '../findings/finding.ts'
import { overrideKinds, overrideStates, type Override } from '../overrides/override.ts'
import { criticalities, exposures } from '../risk/risk-score.ts'
import { severities } from '../severity.ts'

export type VulnerabilityTypes = ReturnType<typeof addTypes>

/** GraphQL types of findings, without nested objects in lists. */
export function addTypes(schema: Schema) {
  const enums = addEnums(schema)
  return {
    ...enums,
    finding: schema
      .objectRef<ListedFinding>('Finding')
      .implement({ description: 'An asset is affected by a CVE.', fields: findingFields(enums) }),
    attribution: addAttribution(schema, enums),
    turn: schema.objectRef<FindingDetail['history'][number]>('FindingTurn').implement({
      description: 'A change of a finding’s status or score, and the reason.',
      fields: (t) => ({
        at: t.expose('at', { type: 'DateTime' }),
        status: t.expose('status', { type: enums.status }),
        severity: t.expose('severity', { type: enums.severity }),
        cvssScore: t.exposeFloat('cvssScore'),
        why: t.exposeString('why'),
      }),
    }),
    override: addOverride(schema, enums),
  }
}

const UNCONFIRMED =
  'A registry says so of a library that the distribution of the asset may have built and mended: its packages there are not all known.'

export type Enums = ReturnType<typeof addEnums>

const addEnums = (schema: Schema) => ({
  severity: schema.enumType('Severity', { values: severities }),
  status: schema.enumType('FindingStatus', {
    description: 'A finding that an override closed is neither open nor resolved.',
    values: findingStatuses,
  }),
  grade: schema.enumType('MatchType', { description: 'How sure a match is.', values: grades }),
  sort: schema.enumType('FindingSort', { values: findingSorts }),
  overrideKind: schema.enumType('OverrideKind', { values: overrideKinds }),
  overrideState: schema.enumType('OverrideState', {
    description: 'A proposed one waits for a second person.',
    values: overrideStates,
  }),
  criticality: schema.enumType('Criticality', { values: criticalities }),
  exposure: schema.enumType('Exposure', { values: exposures }),
})

export const findingFields =
  ({ severity, status, grade }: Enums) =>
  (t: FieldMaker<ListedFinding>): Record<keyof ListedFinding, Field> => ({
    id: t.exposeID('id'),
    cveId: t.exposeString('cveId'),
    severity: t.expose('severity', { type: severity, description: 'The effective one, overrides included.' }),
    cvssScore: t.exposeFloat('cvssScore', { description: '0 to 10, the effective one.' }),
    isScored: t.exposeBoolean('isScored', {
      description: 'Someone published a score; else it is the middle of the severity’s band.',
    }),
    description: t.exposeString('description'),
    assetId: t.exposeID('assetId'),
    assetName: t.exposeString('assetName'),
    affectedAssets: t.exposeInt('affectedAssets', { description: 'Assets on which the CVE is open.' }),
    status: t.expose('status', { type: status }),
    matchType: t.expose('matchType', { type: grade }),
    confidence: t.exposeFloat('confidence', { description: '0 to 1.' }),
    isUnconfirmed: t.exposeBoolean('isUnconfirmed', { description: UNCONFIRMED }),
    software: t.exposeString('software', { description: 'Name and version.' }),
    fixedVersion: t.exposeString('fixedVersion', { description: 'Empty when no fix is known.' }),
    epss: t.exposeFloat('epss', { nullable: true, description: 'Likelihood of exploitation, 0 to 1.' }),
    kevAddedOn: t.exposeString('kevAddedOn', {
      nullable: true,
      description: 'Known to be exploited since, YYYY-MM-DD.',
    }),
    foundAt: t.expose('foundAt', { type: 'DateTime' }),
    changedAt: t.expose('changedAt', { type: 'DateTime' }),
    overrideId: t.exposeID('overrideId', { nullable: true, description: 'The override behind its status.' }),
    ratingOverrideId: t.exposeID('ratingOverrideId', {
      nullable: true,
      description: 'The override behind its severity and score.',
    }),
  })

const addAttribution = (schema: Schema, { grade }: Enums) =>
  schema.objectRef<FindingDetail['attributions'][number]>('FindingAttribution').implement({
    description: 'Which advisory record lists the software as vulnerable, and how it was matched.',
    fields: (t) => ({
      id: t.field({ type: 'ID', resolve: (it) => String(it.id) }),
      feed: t.exposeString('feed'),
      record: t.exposeString('record'),
      matchType: t.expose('matchType', { type: grade }),
      confidence: t.exposeFloat('confidence'),
      isUnconfirmed: t.exposeBoolean('isUnconfirmed', { description: UNCONFIRMED }),
      software: t.exposeString('software'),
      fixedVersion: t.exposeString('fixedVersion'),
      derivation: t.expose('derivation', {
        type: 'JSON',
        description:
          'by, feed, record, ecosystem, package, rule, algorithm, installedVersion, fixedVersion, fixedBy, notes.',
      }),
      foundAt: t.expose('foundAt', { type: 'DateTime' }),
      missedAt: t.expose('missedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'One inventory no longer lists the software; a second one ends this.',
      }),
      endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
      endedBecause: t.exposeString('endedBecause', { nullable: true }),
    }),
  })

const addOverride = (schema: Schema, { overrideKind, overrideState, severity }: Enums) =>
  schema.objectRef<Override>('Override').implement({
    description:
      'What a person or a vendor says of findings of a CVE instead of the feeds: of all, or of those in its scope.',
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.expose('kind', { type: overrideKind }),
      state: t.expose('state', { type: overrideState }),
      cveId: t.exposeString('cveId'),
      findingId: t.exposeID('findingId', { nullable: true }),
      package: t.exposeString('package', { nullable: true }),
      version: t.exposeString('version', { nullable: true }),
      tag: t.exposeString('tag', { nullable: true }),
      condition: t.exposeString('condition', { nullable: true, description: 'On assets.' }),
      severity: t.expose('severity', { type: severity, nullable: true }),
      cvssScore: t.exposeFloat('cvssScore', { nullable: true }),
      reason: t.exposeString('reason'),
      origin: t.exposeString('origin', { description: '`person`, or the document that says so.' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      createdByName: t.exposeString('createdByName'),
      isOwn: t.field({
        type: 'Boolean',
        description: 'You are the author, so a second person must approve it.',
        resolve: (it, _, ctx) => it.createdBy === ctx.actor.id,
      }),
      approvedAt: t.expose('approvedAt', { type: 'DateTime', nullable: true }),
      approvedByName: t.exposeString('approvedByName', { nullable: true }),
      endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
      endedBecause: t.exposeString('endedBecause', { nullable: true }),
      findings: t.exposeInt('findings', {
        description: 'That it changes now; while proposed, the open ones that it would change.',
      }),
    }),
  })
