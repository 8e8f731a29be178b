import {
  canBeTried,
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import type { Listed } from '#platform/http/paging.ts'
import type { ListedFinding } from '../findings/finding.ts'
import type { VulnerabilityTypes } from './finding-types.ts'
import {
  approveOverride,
  createOverride,
  endOverride,
  listOverrides,
  overridesNeedApproval,
  previewOverride,
  setOverridesNeedApproval,
} from '../overrides/overrides.ts'

export function addOverrides(
  schema: Schema,
  types: VulnerabilityTypes,
  findings: TypeOf<Listed<ListedFinding>>,
): void {
  addQueries(schema, types, findings)
  addMutations(schema, types)
}

function addQueries(
  schema: Schema,
  types: VulnerabilityTypes,
  findings: TypeOf<Listed<ListedFinding>>,
): void {
  const page = pageType(schema, 'OverridePage', types.override)
  schema.queryFields((t) => ({
    overrides: t.field({
      type: page,
      description: 'The newest first.',
      args: {
        states: t.arg({ type: [types.overrideState], description: 'Absent or empty: in any state.' }),
        cveId: t.arg.string(),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { states, cveId, ...page }, ctx) =>
        listOverrides(ctx, pageFrom(page), given({ states, cveId })),
    }),
    previewOverride: t.field({
      type: findings,
      description: 'The open findings in this scope. Nothing is written.',
      args: { ...scopeArgs(schema), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { cveId, findingId, package: name, version, tag, condition, ...page }, ctx) =>
        previewOverride(ctx, pageFrom(page), {
          cveId,
          ...given({ findingId, package: name, version, tag, condition }),
        }),
    }),
    overridesNeedApproval: t.boolean({
      description: 'A second person approves each override that is made from now on.',
      resolve: (_, __, ctx) => overridesNeedApproval(ctx),
    }),
  }))
}

const scopeArgs = (schema: Schema) =>
  schema.args((t) => ({
    cveId: t.string({ required: true }),
    findingId: t.id({ description: 'Of this finding alone.' }),
    package: t.string({ description: 'Name of the software, without version.' }),
    version: t.string({ description: 'Only this version; absent: later versions too.' }),
    tag: t.string({ description: 'On assets with this tag.' }),
    condition: t.string({
      description: 'On assets for which this condition is true. It may ask nothing about findings or risk.',
    }),
  }))

function addMutations(schema: Schema, types: VulnerabilityTypes): void {
  schema.mutationFields((t) => ({
    createOverride: t.field({
      ...canBeTried,
      type: types.override,
      args: {
        ...scopeArgs(schema),
        kind: t.arg({ type: types.overrideKind, required: true }),
        severity: t.arg({ type: types.severity, description: 'Of a severity override.' }),
        cvssScore: t.arg.float({ description: 'Absent: the middle of the severity’s band.' }),
        reason: t.arg.string({ required: true }),
        expiresAt: t.arg({ type: 'DateTime', description: 'Absent: until it is ended.' }),
      },
      resolve: (_, { kind, cveId, reason, ...others }, ctx) =>
        createOverride(ctx, { kind, cveId, reason, ...given(others) }),
    }),
    approveOverride: t.field({
      ...canBeTried,
      type: types.override,
      description: 'The approver must not be the author.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => approveOverride(ctx, id),
    }),
    endOverride: t.field({
      ...canBeTried,
      type: types.override,
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: (_, { id, reason }, ctx) => endOverride(ctx, id, reason),
    }),
    setOverridesNeedApproval: t.boolean({
      args: { needed: t.arg.boolean({ required: true }) },
      resolve: (_, { needed }, ctx) => setOverridesNeedApproval(ctx, needed),
    }),
  }))
}
