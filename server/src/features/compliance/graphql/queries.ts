import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
} from '#platform/graphql/schema.ts'
import { previewCheck } from '../checks/own-checks.ts'
import {
  explainControl,
  listAffectedAssets,
  listCheckPage,
  listChecks,
  listControlPage,
  listControls,
  listFrameworks,
} from '../compliance.ts'
import { exceptionsNeedApproval, listExceptions } from '../exceptions/exceptions.ts'
import type { ComplianceTypes } from './object-types.ts'

/** The number of controls of the largest framework that comes with the product, rounded up. */
const CONTROLS_EXPECTED = 1_300
const CHECKS_EXPECTED = 100

export function addQueries(schema: Schema, types: ComplianceTypes): void {
  addFrameworks(schema, types)
  addChecks(schema, types)
  addLists(schema, types)
}

function addLists(schema: Schema, { listedCheck, listedControl }: ComplianceTypes): void {
  schema.queryFields((t) => ({
    checks: t.field({
      type: pageType(schema, 'CheckPage', listedCheck),
      description:
        'Of all frameworks: what fails first, the worst severity first, unless another order is asked for.',
      args: listArgs(schema),
      complexity: perItem,
      resolve: (_, { where, sort, ...page }, ctx) =>
        listCheckPage(ctx, pageFrom(page), given({ where, sort })),
    }),
    controls: t.field({
      type: pageType(schema, 'ControlPage', listedControl),
      description:
        'Of the adopted frameworks, unless the condition asks about others; what fails first, unless another order is asked for.',
      args: listArgs(schema),
      complexity: perItem,
      resolve: (_, { where, sort, ...page }, ctx) =>
        listControlPage(ctx, pageFrom(page), given({ where, sort })),
    }),
  }))
}

function addFrameworks(schema: Schema, { framework, control, detail, status }: ComplianceTypes): void {
  schema.queryFields((t) => ({
    complianceFrameworks: t.field({
      type: [framework],
      description: 'All that come with the product; `adoptedAt` says which are judged.',
      resolve: (_, __, ctx) => listFrameworks(ctx),
    }),
    complianceControls: t.field({
      type: [control],
      description: 'Of a framework in its order, with headings; of these statuses alone if given.',
      args: {
        framework: t.arg.id({ required: true }),
        statuses: t.arg({ type: [status] }),
        where: t.arg.string({
          description: 'A condition on each control, such as `since > -7d`; given: no headings.',
        }),
      },
      complexity: { field: 1, multiplier: CONTROLS_EXPECTED },
      resolve: (_, { framework: slug, ...wanted }, ctx) => listControls(ctx, slug, given(wanted)),
    }),
    complianceControl: t.field({
      type: detail,
      description: 'Why a control has its status.',
      args: { framework: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
      resolve: (_, { framework: slug, id }, ctx) => explainControl(ctx, slug, id),
    }),
  }))
}

function addChecks(schema: Schema, { judged, counts, affected, exception }: ComplianceTypes): void {
  schema.queryFields((t) => ({
    complianceChecks: t.field({
      type: [judged],
      description: 'Of a framework: what to do first, that is, what fails, the worst severity first.',
      args: {
        framework: t.arg.id({ required: true }),
        where: t.arg.string({
          description: 'A condition on each check, such as `severity = critical and failed > 10`.',
        }),
      },
      complexity: { field: 1, multiplier: CHECKS_EXPECTED },
      resolve: (_, { framework, where }, ctx) => listChecks(ctx, framework, where ?? undefined),
    }),
    complianceCheckAssets: t.field({
      type: pageType(schema, 'AffectedAssetPage', affected),
      description: 'Assets that fail a check, then those of which it is unknown.',
      args: { checkId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { checkId, ...page }, ctx) => listAffectedAssets(ctx, pageFrom(page), checkId),
    }),
    complianceCheckPreview: t.field({
      type: counts,
      description: 'What a check would find now; nothing is written.',
      args: { scope: t.arg.string(), condition: t.arg.string({ required: true }) },
      resolve: (_, { scope, condition }, ctx) => previewCheck(ctx, { scope: scope ?? '', condition }),
    }),
    complianceExceptions: t.field({
      type: pageType(schema, 'ComplianceExceptionPage', exception),
      description:
        'Newest first, those that have ended too; from these checks alone if given, and from the control with them.',
      args: {
        checkIds: t.arg.idList(),
        framework: t.arg.id(),
        controlId: t.arg.id(),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { checkIds, framework, controlId, ...page }, ctx) =>
        listExceptions(ctx, pageFrom(page), {
          checkIds: checkIds ?? null,
          ...(framework && controlId ? { control: { framework, controlId } } : {}),
        }),
    }),
    complianceExceptionsNeedApproval: t.boolean({
      resolve: (_, __, ctx) => exceptionsNeedApproval(ctx),
    }),
  }))
}
