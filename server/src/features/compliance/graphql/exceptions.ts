import { canBeTried, given, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { titleOfFramework } from '../catalogue/catalogue.ts'
import { previewException, type ExceptionPreview } from '../exceptions/exception-preview.ts'
import {
  approveException,
  createException,
  endException,
  setExceptionsNeedApproval,
} from '../exceptions/exceptions.ts'
import type { SimulatedControl } from '../simulated-controls.ts'
import type { ComplianceTypes } from './object-types.ts'

/** Exceptions: what one would cover, then its life. */

const CONTROLS_EXPECTED = 100

export function addExceptions(schema: Schema, { exception, status }: ComplianceTypes): void {
  const target = schema.args((t) => ({
    checkId: t.id({ description: 'From this check, for every control that it counts for.' }),
    framework: t.id({ description: 'With `controlId`: from this control, whichever checks judge it.' }),
    controlId: t.id(),
    assetId: t.id(),
    tag: t.string(),
    where: t.string({ description: 'Of the assets for which this condition holds.' }),
  }))
  const preview = previewType(schema, status)
  schema.queryFields((t) => ({
    complianceExceptionPreview: t.field({
      type: preview,
      description: 'What an exception would cover if it were in force now; nothing is written.',
      args: target,
      complexity: { field: 1, multiplier: CONTROLS_EXPECTED },
      resolve: (_, args, ctx) => previewException(ctx, given(args)),
    }),
  }))
  schema.mutationFields((t) => ({
    createComplianceException: t.field({
      ...canBeTried,
      type: exception,
      description:
        'Of one asset, of those with a tag or for which a condition holds, or of all that fail; for at most a year.',
      args: {
        ...target,
        reason: t.arg.string({ required: true }),
        owner: t.arg.string({
          description: 'E-mail address of the member who answers for it; who makes it unless given.',
        }),
        expiresAt: t.arg({ type: 'DateTime', required: true }),
      },
      resolve: (_, { reason, expiresAt, ...more }, ctx) =>
        createException(ctx, { reason, expiresAt, ...given(more) }),
    }),
  }))
  addDecisions(schema, exception)
}

function addDecisions(schema: Schema, exception: ComplianceTypes['exception']): void {
  schema.mutationFields((t) => ({
    approveComplianceException: t.field({
      ...canBeTried,
      type: exception,
      description: 'By a second person.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => approveException(ctx, id),
    }),
    endComplianceException: t.field({
      ...canBeTried,
      type: exception,
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: (_, { id, reason }, ctx) => endException(ctx, id, reason),
    }),
    setComplianceExceptionsNeedApproval: t.boolean({
      description: 'Of exceptions that are made from now on.',
      args: { needed: t.arg.boolean({ required: true }) },
      resolve: (_, { needed }, ctx) => setExceptionsNeedApproval(ctx, needed),
    }),
  }))
}

function previewType(schema: Schema, status: ComplianceTypes['status']): TypeOf<ExceptionPreview> {
  const asset = schema
    .objectRef<ExceptionPreview['listed'][number]>('ExceptedAsset')
    .implement({ fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }) })
  const control = schema.objectRef<SimulatedControl>('ChangedControl').implement({
    fields: (t) => ({
      framework: t.exposeID('framework'),
      frameworkTitle: t.string({ resolve: ({ framework }) => titleOfFramework(framework) }),
      controlId: t.exposeID('controlId'),
      title: t.exposeString('title'),
      before: t.expose('before', { type: status }),
      after: t.expose('after', { type: status }),
    }),
  })
  return schema.objectRef<ExceptionPreview>('ExceptionPreview').implement({
    fields: (t) => ({
      assets: t.exposeInt('assets', {
        nullable: true,
        description: 'That it applies to, whether or not they fail; null: it applies to whatever fails.',
      }),
      failing: t.exposeInt('failing', { description: 'Assets that fail, and would be excepted.' }),
      excepted: t.exposeInt('excepted', {
        description: 'Of those the number that an exception in force covers already.',
      }),
      listed: t.field({
        type: [asset],
        description: 'Of those that would be excepted, by name, at most a hundred.',
        resolve: ({ listed }) => [...listed],
      }),
      controls: t.field({
        type: [control],
        nullable: true,
        description:
          'Whose status would change; null to who is limited to some of the assets that they are judged over.',
        resolve: ({ controls }) => controls && [...controls],
      }),
    }),
  })
}
