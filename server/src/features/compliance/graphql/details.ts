import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { titleOfFramework } from '../catalogue/catalogue.ts'
import {
  explainCheck,
  listControlAssets,
  listMonths,
  type CheckDetail,
  type CountedControl,
  type MonthOfFramework,
} from '../check-detail.ts'
import {
  previewChange,
  verdicts,
  type CheckChange,
  type Move,
  type MovedAsset,
} from '../checks/check-change.ts'
import { evidenceProof, listEvidence, recordEvidenceOf, type Evidence } from '../evidence/evidence.ts'
import type { CopyTypes } from './checks.ts'
import type { ComplianceTypes } from './object-types.ts'

/** One check, one control: what is behind them, and what a change would do. */

const CONTROLS_OF_CHECK = 20
const EVIDENCE_EXPECTED = 100
const MONTHS = 13

export function addDetails(schema: Schema, types: ComplianceTypes, copies: CopyTypes): void {
  addCheck(schema, { ...types, ...copies })
  addControl(schema, types)
  addEvidence(schema)
}

function addCheck(
  schema: Schema,
  { judged, status, counts, setting, upgraded, asked }: ComplianceTypes & CopyTypes,
): void {
  const detail = checkDetailType(schema, { judged, status, setting, upgraded, asked })
  const change = changeType(schema, counts)
  schema.queryFields((t) => ({
    complianceCheck: t.field({
      type: detail,
      description: 'What a check asks, what its last round found, and for which controls it counts.',
      args: { id: t.arg.id({ required: true }) },
      complexity: { field: 1, multiplier: CONTROLS_OF_CHECK },
      resolve: (_, { id }, ctx) => explainCheck(ctx, id),
    }),
    complianceCheckChange: t.field({
      type: change,
      description:
        'What a change of a check would do to each asset; nothing is written. Without checkId: a new one.',
      args: { checkId: t.arg.id(), scope: t.arg.string(), condition: t.arg.string({ required: true }) },
      resolve: (_, { checkId, scope, condition }, ctx) =>
        previewChange(ctx, { ...given({ checkId }), scope: scope ?? '', condition }),
    }),
  }))
}

function checkDetailType(
  schema: Schema,
  {
    judged,
    status,
    setting,
    upgraded,
    asked,
  }: Pick<ComplianceTypes, 'judged' | 'status' | 'asked'> & CopyTypes,
): TypeOf<CheckDetail> {
  const counted = schema.objectRef<CountedControl>('CountedControl').implement({
    fields: (t) => ({
      framework: t.exposeID('framework'),
      frameworkTitle: t.string({ resolve: ({ framework }) => titleOfFramework(framework) }),
      controlId: t.exposeID('controlId'),
      title: t.exposeString('title'),
      status: t.expose('status', {
        type: status,
        nullable: true,
        description:
          'Null: the framework is not adopted, or you are limited to some of the assets that it is judged over.',
      }),
    }),
  })
  return schema.objectRef<CheckDetail>('ComplianceCheckDetail').implement({
    fields: (t) => ({
      check: t.field({ type: judged, resolve: (it) => it }),
      countsFor: t.field({ type: [counted], resolve: ({ countsFor }) => [...countsFor] }),
      settings: t.field({
        type: [setting],
        description: 'Frameworks for which it does not count as it says itself.',
        resolve: ({ settings }) => [...settings],
      }),
      asks: t.field({
        type: [asked],
        description: 'The facts that its condition and freshness ask for, and what tells them.',
        resolve: ({ asks }) => [...asks],
      }),
      upgrade: t.field({
        type: [upgraded],
        description: 'What an upgrade of the product changed in the original of a copy; empty: nothing.',
        resolve: ({ upgrade }) => [...upgrade],
      }),
    }),
  })
}

function changeType(schema: Schema, counts: ComplianceTypes['counts']): TypeOf<CheckChange> {
  const verdict = schema.enumType('CheckVerdict', { values: verdicts })
  const move = schema.objectRef<Move>('CheckMove').implement({
    fields: (t) => ({
      before: t.expose('before', { type: verdict }),
      after: t.expose('after', { type: verdict }),
      assets: t.exposeInt('assets'),
    }),
  })
  const asset = schema.objectRef<MovedAsset>('MovedAsset').implement({
    fields: (t) => ({
      assetId: t.exposeID('assetId'),
      name: t.exposeString('name'),
      before: t.expose('before', { type: verdict }),
      after: t.expose('after', { type: verdict }),
    }),
  })
  return schema.objectRef<CheckChange>('CheckChange').implement({
    fields: (t) => ({
      before: t.field({ type: counts, resolve: (it) => it.before }),
      after: t.field({ type: counts, resolve: (it) => it.after }),
      moves: t.field({
        type: [move],
        description: 'Those that stay as they are too; the most assets first.',
        resolve: ({ moves }) => [...moves],
      }),
      assets: t.field({
        type: [asset],
        description: 'Those whose verdict changes, at most a hundred: failures first.',
        resolve: ({ assets }) => [...assets],
      }),
    }),
  })
}

function addControl(schema: Schema, { affected }: ComplianceTypes): void {
  const month = schema.objectRef<MonthOfFramework>('MonthOfFramework').implement({
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      pass: t.exposeInt('pass'),
      warning: t.exposeInt('warning'),
      fail: t.exposeInt('fail'),
    }),
  })
  schema.queryFields((t) => ({
    complianceControlAssets: t.field({
      type: pageType(schema, 'ControlAssetPage', affected),
      description:
        'Assets that any check of a control does not find in order, each once: those that fail first.',
      args: {
        framework: t.arg.id({ required: true }),
        id: t.arg.id({ required: true }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { framework, id: controlId, ...page }, ctx) =>
        listControlAssets(ctx, pageFrom(page), { framework, controlId }),
    }),
    complianceMonths: t.field({
      type: [month],
      description:
        'Controls of a framework by status at the end of each of the last twelve months, then now.',
      args: { framework: t.arg.id({ required: true }) },
      complexity: { field: 1, multiplier: MONTHS },
      resolve: (_, { framework }, ctx) => listMonths(ctx, framework),
    }),
  }))
}

function addEvidence(schema: Schema): void {
  const evidence = schema.objectRef<Evidence>('ComplianceEvidence').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      framework: t.exposeID('framework'),
      controlId: t.exposeID('controlId'),
      effectiveOn: t.expose('effectiveOn', { type: 'DateTime', description: 'Since when the status holds.' }),
      recordedAt: t.expose('recordedAt', { type: 'DateTime' }),
      digest: t.exposeString('digest', { description: 'SHA-256, hexadecimal.' }),
    }),
  })
  schema.queryFields((t) => ({
    complianceEvidence: t.field({
      type: [evidence],
      description: 'What was recorded as evidence of a control; newest first, at most a hundred.',
      args: { framework: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
      complexity: { field: 1, multiplier: EVIDENCE_EXPECTED },
      resolve: (_, { framework, id: controlId }, ctx) => listEvidence(ctx, { framework, controlId }),
    }),
    complianceEvidenceProof: t.field({
      type: 'JSON',
      description: 'Evidence as a file that `rollcall verify` checks.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => evidenceProof(ctx, id),
    }),
  }))
  schema.mutationFields((t) => ({
    recordComplianceEvidence: t.field({
      type: 'ID',
      description: 'What the status of a control is judged on now, recorded as evidence; answers its id.',
      args: { framework: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
      resolve: (_, { framework, id }, ctx) => recordEvidenceOf(ctx, framework, id),
    }),
  }))
}
