import type { EnumOf, Schema, TypeOf } from '#platform/graphql/schema.ts'
import { titleOfFramework } from '../catalogue/catalogue.ts'
import type { AskedFact } from '../checks/asked-facts.ts'
import { checkSeverities, type Check, type CheckSeverity } from '../checks/check.ts'
import type {
  AffectedAsset,
  Attestation,
  ControlChange,
  ControlDetail,
  ControlSummary,
  Counts,
  FrameworkSummary,
  JudgedCheck,
  ListedCheck,
} from '../compliance.ts'
import { controlStatuses, type ControlStatus } from '../evaluation/status.ts'
import { exceptionStates, type Exception } from '../exceptions/exception.ts'
import { listedCheckType, listedControlType } from './listed-types.ts'

export interface ComplianceTypes {
  readonly status: EnumOf<ControlStatus>
  readonly severity: EnumOf<CheckSeverity>
  readonly framework: TypeOf<FrameworkSummary>
  readonly control: TypeOf<ControlSummary>
  readonly detail: TypeOf<ControlDetail>
  readonly judged: TypeOf<JudgedCheck>
  readonly listedCheck: TypeOf<ListedCheck>
  readonly listedControl: TypeOf<ControlSummary>
  readonly check: TypeOf<Check>
  readonly counts: TypeOf<Counts>
  readonly affected: TypeOf<AffectedAsset>
  readonly exception: TypeOf<Exception>
  readonly attestation: TypeOf<Attestation>
  readonly asked: TypeOf<AskedFact>
}

export function addObjectTypes(schema: Schema): ComplianceTypes {
  const status = schema.enumType('ControlStatus', { values: controlStatuses })
  const severity = schema.enumType('CheckSeverity', { values: checkSeverities })
  const judged = judgedType(schema, { status, severity })
  const attestation = attestationType(schema)
  return {
    status,
    severity,
    judged,
    listedCheck: listedCheckType(schema, { status, severity }),
    listedControl: listedControlType(schema, { status }),
    attestation,
    framework: frameworkType(schema),
    control: controlType(schema, status),
    detail: detailType(schema, { status, judged, attestation }),
    check: checkType(schema, severity),
    counts: schema.objectRef<Counts>('CheckCounts').implement({
      fields: (t) => ({
        inScope: t.exposeInt('inScope'),
        ok: t.exposeInt('ok'),
        failed: t.exposeInt('failed'),
        unknown: t.exposeInt('unknown'),
      }),
    }),
    asked: schema.objectRef<AskedFact>('AskedFact').implement({
      description: 'A fact about assets that a check asks for.',
      fields: (t) => ({
        name: t.exposeString('name', { description: 'As conditions call it.' }),
        sentence: t.exposeString('sentence'),
        source: t.exposeString('source', { description: 'What tells it where it is unknown.' }),
      }),
    }),
    affected: schema.objectRef<AffectedAsset>('AffectedAsset').implement({
      fields: (t) => ({
        assetId: t.exposeID('assetId'),
        name: t.exposeString('name'),
        outcome: t.exposeString('outcome', { description: 'failed or unknown' }),
        since: t.expose('since', { type: 'DateTime' }),
        isExcepted: t.exposeBoolean('isExcepted'),
      }),
    }),
    exception: exceptionType(schema),
  }
}

const frameworkType = (schema: Schema): TypeOf<FrameworkSummary> =>
  schema.objectRef<FrameworkSummary>('ComplianceFramework').implement({
    fields: (t) => ({
      slug: t.exposeID('slug'),
      title: t.exposeString('title'),
      version: t.exposeString('version'),
      publisher: t.exposeString('publisher'),
      licence: t.exposeString('licence'),
      controls: t.exposeInt('controls', { description: 'How many it has, headings not counted.' }),
      judgeable: t.exposeInt('judgeable', { description: 'How many of them a check can judge.' }),
      adoptedAt: t.expose('adoptedAt', { type: 'DateTime', nullable: true }),
      pass: t.int({ resolve: ({ statuses }) => statuses.pass }),
      warning: t.int({ resolve: ({ statuses }) => statuses.warning }),
      fail: t.int({ resolve: ({ statuses }) => statuses.fail }),
      notApplicable: t.int({ resolve: ({ statuses }) => statuses.not_applicable }),
      notAssessed: t.int({ resolve: ({ statuses }) => statuses.not_assessed }),
      score: t.exposeFloat('score', {
        nullable: true,
        description: 'Passes among passes and fails, 0 to 1. Read it with the coverage.',
      }),
      coverage: t.exposeFloat('coverage', { description: 'Controls that have a status, 0 to 1.' }),
    }),
  })

const controlType = (schema: Schema, status: EnumOf<ControlStatus>): TypeOf<ControlSummary> =>
  schema.objectRef<ControlSummary>('ComplianceControl').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      parentId: t.exposeString('parentId'),
      title: t.exposeString('title'),
      isHeading: t.exposeBoolean('isHeading'),
      status: t.expose('status', { type: status, nullable: true, description: 'Null: a heading.' }),
      since: t.expose('since', { type: 'DateTime', nullable: true }),
      checks: t.exposeInt('checks', { description: 'How many checks judge it.' }),
      why: t.stringList({ resolve: ({ why }) => [...why] }),
    }),
  })

function detailType(
  schema: Schema,
  { status, judged, attestation }: Pick<ComplianceTypes, 'status' | 'judged' | 'attestation'>,
): TypeOf<ControlDetail> {
  const change = schema.objectRef<ControlChange>('ControlChange').implement({
    fields: (t) => ({
      from: t.expose('from', { type: status }),
      to: t.expose('to', { type: status }),
      changedAt: t.expose('changedAt', { type: 'DateTime' }),
      evidenceId: t.exposeID('evidenceId', {
        nullable: true,
        description: 'Of what it was judged on; null: not recorded yet.',
      }),
      why: t.stringList({ resolve: ({ why }) => [...why] }),
    }),
  })
  return schema.objectRef<ControlDetail>('ComplianceControlDetail').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      frameworkTitle: t.string({ resolve: ({ framework }) => titleOfFramework(framework) }),
      parentId: t.exposeString('parentId'),
      title: t.exposeString('title'),
      text: t.exposeString('text', {
        nullable: true,
        description:
          'What the framework asks for; null where its licence keeps the text out of the product and nobody imported it.',
      }),
      licensedTitle: t.exposeString('licensedTitle', {
        nullable: true,
        description: 'Of the framework itself, where the organisation imported it.',
      }),
      status: t.expose('status', { type: status, nullable: true }),
      since: t.expose('since', { type: 'DateTime', nullable: true }),
      why: t.stringList({ resolve: ({ why }) => [...why] }),
      judgedBy: t.field({ type: [judged], resolve: ({ judgedBy }) => [...judgedBy] }),
      attestation: t.field({ type: attestation, nullable: true, resolve: (it) => it.attestation }),
      history: t.field({
        type: [change],
        description: 'Newest first.',
        resolve: ({ history }) => [...history],
      }),
    }),
  })
}

const judgedType = (
  schema: Schema,
  { status, severity }: Pick<ComplianceTypes, 'status' | 'severity'>,
): TypeOf<JudgedCheck> =>
  schema.objectRef<JudgedCheck>('JudgedCheck').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      title: t.exposeString('title'),
      scope: t.exposeString('scope', { description: 'A condition on assets; empty: all.' }),
      condition: t.exposeString('condition'),
      freshness: t.exposeString('freshness', {
        description: 'Where this condition does not hold, what would be in order is unknown; empty: none.',
      }),
      severity: t.expose('severity', { type: severity }),
      next: t.exposeString('next', { description: 'What to do about an asset that fails.' }),
      tolerance: t.exposeString('tolerance'),
      isOwn: t.exposeBoolean('isOwn'),
      copiedFrom: t.id({
        nullable: true,
        description: 'The shipped check that it is a copy of.',
        resolve: ({ copiedFrom }) => copiedFrom ?? null,
      }),
      controlIds: t.stringList({ resolve: ({ controlIds }) => [...controlIds] }),
      status: t.expose('status', {
        type: status,
        nullable: true,
        description: 'Null: never judged, or no asset is in its scope.',
      }),
      inScope: t.exposeInt('inScope'),
      ok: t.exposeInt('ok'),
      failed: t.exposeInt('failed'),
      unknown: t.exposeInt('unknown'),
      excepted: t.exposeInt('excepted'),
      judgedAt: t.expose('judgedAt', { type: 'DateTime', nullable: true }),
      fault: t.exposeString('fault', { nullable: true, description: 'Why it cannot be judged.' }),
      sentence: t.exposeString('sentence'),
    }),
  })

const checkType = (schema: Schema, severity: EnumOf<CheckSeverity>): TypeOf<Check> =>
  schema.objectRef<Check>('ComplianceCheck').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      title: t.exposeString('title'),
      scope: t.exposeString('scope'),
      condition: t.exposeString('condition'),
      severity: t.expose('severity', { type: severity }),
      next: t.exposeString('next'),
      tolerance: t.exposeString('tolerance'),
      revision: t.exposeInt('revision'),
      controls: t.field({ type: 'JSON', resolve: ({ controls }) => controls }),
    }),
  })

const exceptionType = (schema: Schema): TypeOf<Exception> => {
  const state = schema.enumType('ComplianceExceptionState', { values: exceptionStates })
  return schema.objectRef<Exception>('ComplianceException').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      checkId: t.exposeID('checkId', { nullable: true, description: 'Null: it is from a control.' }),
      framework: t.exposeID('framework', { nullable: true }),
      controlId: t.exposeID('controlId', {
        nullable: true,
        description: 'Of the framework; null: it is from a check.',
      }),
      title: t.exposeString('title', {
        description: 'The check that it is from, its id where that was deleted; or the control.',
      }),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName', { nullable: true }),
      tag: t.exposeString('tag', { nullable: true }),
      where: t.exposeString('where', {
        nullable: true,
        description: 'It applies to assets for which this condition holds.',
      }),
      reason: t.exposeString('reason'),
      owner: t.exposeString('ownerName', {
        nullable: true,
        description: 'Who answers for it; null: nobody was named by the key that made it.',
      }),
      state: t.expose('state', { type: state }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      createdBy: t.exposeString('createdByName'),
      approvedAt: t.expose('approvedAt', { type: 'DateTime', nullable: true }),
      approvedBy: t.exposeString('approvedByName', { nullable: true }),
      endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
      endedBecause: t.exposeString('endedBecause', { nullable: true }),
    }),
  })
}

const attestationType = (schema: Schema): TypeOf<Attestation> =>
  schema.objectRef<Attestation>('ComplianceAttestation').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      framework: t.exposeString('framework'),
      controlId: t.exposeString('controlId'),
      statement: t.exposeString('statement'),
      validUntil: t.expose('validUntil', { type: 'DateTime' }),
      attestedAt: t.expose('attestedAt', { type: 'DateTime' }),
      attestedBy: t.exposeString('attestedByName'),
    }),
  })
