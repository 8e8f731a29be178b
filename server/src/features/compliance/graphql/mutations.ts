import { canBeTried, type Schema } from '#platform/graphql/schema.ts'
import { attestControl, withdrawAttestation } from '../attestations/attestations.ts'
import { createCheck, deleteCheck, updateCheck, type CheckInput } from '../checks/own-checks.ts'
import { adoptFramework, dropFramework, explainControl } from '../compliance.ts'
import type { ComplianceTypes } from './object-types.ts'

export function addMutations(schema: Schema, types: ComplianceTypes): void {
  addAdoption(schema, types)
  addChecks(schema, types)
}

function addAdoption(schema: Schema, { detail, attestation }: ComplianceTypes): void {
  schema.mutationFields((t) => ({
    adoptFramework: t.field({
      type: 'ID',
      description: 'Its controls are judged from now on; the first round begins at once.',
      args: { framework: t.arg.id({ required: true }) },
      resolve: (_, { framework }, ctx) => adoptFramework(ctx, framework).then(() => framework),
    }),
    dropFramework: t.field({
      type: 'ID',
      description: 'Its controls are judged no longer; their history stays.',
      args: { framework: t.arg.id({ required: true }) },
      resolve: (_, { framework }, ctx) => dropFramework(ctx, framework).then(() => framework),
    }),
    attestControl: t.field({
      type: attestation,
      description: 'That a control is met, for at most a year; in place of an earlier attestation.',
      args: {
        framework: t.arg.id({ required: true }),
        controlId: t.arg.id({ required: true }),
        statement: t.arg.string({ required: true }),
        validUntil: t.arg({ type: 'DateTime', required: true }),
      },
      resolve: (_, input, ctx) => attestControl(ctx, input),
    }),
    withdrawAttestation: t.field({
      type: detail,
      args: { framework: t.arg.id({ required: true }), controlId: t.arg.id({ required: true }) },
      resolve: (_, input, ctx) =>
        withdrawAttestation(ctx, input).then(() => explainControl(ctx, input.framework, input.controlId)),
    }),
  }))
}

function addChecks(schema: Schema, { check, severity }: ComplianceTypes): void {
  const control = schema.inputType('CheckedControl', {
    fields: (t) => ({ framework: t.id({ required: true }), controlId: t.id({ required: true }) }),
  })
  const input = schema.inputType('CheckInput', {
    fields: (t) => ({
      title: t.string({ required: true }),
      scope: t.string({
        required: true,
        defaultValue: '',
        description: 'A condition on assets; empty: all.',
      }),
      condition: t.string({ required: true, description: 'What must hold for each asset in scope.' }),
      severity: t.field({ type: severity, required: true }),
      next: t.string({ required: true, defaultValue: '', description: 'What to do about a failure.' }),
      controls: t.field({ type: [control], required: true }),
      tolerance: t.string({
        required: true,
        defaultValue: '0',
        description: 'A number, or a share such as 2%.',
      }),
    }),
  })
  const args = schema.args((t) => ({ check: t.field({ type: input, required: true }) }))
  schema.mutationFields((t) => ({
    createComplianceCheck: t.field({
      ...canBeTried,
      type: check,
      args,
      resolve: (_, it, ctx) => createCheck(ctx, it.check satisfies CheckInput),
    }),
    updateComplianceCheck: t.field({
      ...canBeTried,
      type: check,
      description: 'In place of all that it said.',
      args: { id: t.arg.id({ required: true }), ...args },
      resolve: (_, it, ctx) => updateCheck(ctx, it.id, it.check),
    }),
    deleteComplianceCheck: t.field({
      ...canBeTried,
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteCheck(ctx, id).then(() => id),
    }),
  }))
}
