import { canBeTried, type Schema } from '#platform/graphql/schema.ts'
import { archiveAsset, reviveAsset } from '../archive/archive.ts'
import type { ArchiveRule } from '../archive/archive-rule.ts'
import { listArchiveRules, previewArchiveRules, setArchiveRules } from '../archive/archive-rules.ts'
import type { AssetTypes } from './object-types.ts'

export function addArchive(schema: Schema, { asset }: AssetTypes): void {
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    archiveAsset: t.field({
      ...canBeTried,
      type: asset,
      description: 'Takes the asset out of lists, counts and risk, until a source sees it again.',
      args: id,
      resolve: (_, args, ctx) => archiveAsset(ctx, args.id),
    }),
    reviveAsset: t.field({
      ...canBeTried,
      type: asset,
      args: id,
      resolve: (_, args, ctx) => reviveAsset(ctx, args.id),
    }),
  }))
  addRules(schema)
}

function addRules(schema: Schema): void {
  const rule = schema.objectRef<ArchiveRule>('ArchiveRule').implement({
    fields: (t) => ({
      sourceKind: t.exposeString('sourceKind', {
        description: 'Empty: every kind without a rule of its own.',
      }),
      days: t.exposeInt('days'),
    }),
  })
  const input = schema.inputType('ArchiveRuleInput', {
    fields: (t) => ({
      sourceKind: t.string({ required: true, defaultValue: '' }),
      days: t.int({ required: true, description: 'Without a sighting, 1 to 3,650.' }),
    }),
  })
  const rules = schema.args((t) => ({ rules: t.field({ type: [input], required: true }) }))
  schema.queryFields((t) => ({
    archiveRules: t.field({ type: [rule], resolve: (_, __, ctx) => listArchiveRules(ctx) }),
    previewArchiveRules: t.int({
      description: 'How many assets these rules would archive now. Nothing is written.',
      args: rules,
      resolve: (_, args, ctx) => previewArchiveRules(ctx, args.rules),
    }),
  }))
  schema.mutationField('setArchiveRules', (t) =>
    t.field({
      ...canBeTried,
      type: [rule],
      description:
        'Replaces the rules. An asset is archived when the rule of each of its sources says so; a source whose kind has no rule keeps it.',
      args: rules,
      resolve: (_, args, ctx) => setArchiveRules(ctx, args.rules),
    }),
  )
}
