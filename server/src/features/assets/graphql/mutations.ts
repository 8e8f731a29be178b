import { canBeTried, given, type Schema } from '#platform/graphql/schema.ts'
import { deleteAsset } from '../assets.ts'
import { suggestMerge } from '../editing/suggest-merge.ts'
import { keepApart, mergeAssets, undoKeepApart, unlinkObservations } from '../editing/merge-and-unlink.ts'
import {
  defineCustomField,
  deleteCustomField,
  orderCustomFields,
  updateCustomField,
} from '../editing/custom-fields.ts'
import { clearCustomField, setCustomField, setCustomFieldOfAssets } from '../editing/custom-values.ts'
import { clearAttribute, setAttribute } from '../editing/attribute-edits.ts'
import { addRememberedNames } from './remembered-names.ts'
import type { AssetTypes } from './object-types.ts'
import { addTags, removeTags, setTags } from '../editing/tags.ts'

export function addMutations(schema: Schema, types: AssetTypes): void {
  addCorrections(schema, types)
  addKeepingApart(schema)
  addRememberedNames(schema, types)
  addTagging(schema, types)
  addAttributes(schema, types)
  addCustomFields(schema, types)
  addCustomValues(schema, types)
}

function addCorrections(schema: Schema, { asset }: AssetTypes): void {
  const why = schema.args((t) => ({ reason: t.string({ required: true, defaultValue: 'manual' }) }))
  schema.mutationFields((t) => {
    const pair = { assetIdA: t.arg.id({ required: true }), assetIdB: t.arg.id({ required: true }), ...why }
    return {
      mergeAssets: t.field({
        ...canBeTried,
        type: asset,
        description: 'Merges two assets; returns the survivor, the older one.',
        args: pair,
        resolve: (_, merge, ctx) => mergeAssets(ctx, merge),
      }),
      suggestAssetMerge: t.field({
        ...canBeTried,
        type: 'Boolean',
        description: 'Lists two assets as possible duplicates until they are merged or kept apart.',
        args: pair,
        resolve: (_, merge, ctx) => suggestMerge(ctx, merge).then(() => true),
      }),
      unlinkAssetObservations: t.field({
        ...canBeTried,
        type: [asset],
        description: 'Splits observations off an asset permanently; returns the assets that they are now.',
        args: {
          assetId: t.arg.id({ required: true }),
          observationIds: t.arg.idList({ required: true }),
          ...why,
        },
        resolve: (_, request, ctx) => unlinkObservations(ctx, request),
      }),
      deleteAsset: t.field({
        ...canBeTried,
        type: 'ID',
        args: { id: t.arg.id({ required: true }) },
        resolve: (_, { id }, ctx) => deleteAsset(ctx, id).then(() => id),
      }),
    }
  })
}

function addKeepingApart(schema: Schema): void {
  const why = schema.args((t) => ({ reason: t.string({ required: true, defaultValue: 'manual' }) }))
  schema.mutationFields((t) => {
    const pair = { assetIdA: t.arg.id({ required: true }), assetIdB: t.arg.id({ required: true }), ...why }
    return {
      keepAssetsApart: t.field({
        ...canBeTried,
        type: 'Boolean',
        description:
          'Keeps two assets apart: they are never merged, and the pair is no possible duplicate any more.',
        args: pair,
        resolve: (_, merge, ctx) => keepApart(ctx, merge).then(() => true),
      }),
      undoKeepAssetsApart: t.field({
        ...canBeTried,
        type: 'Boolean',
        description:
          'Takes the decision to keep two assets apart back: evidence alone decides about them again. What was unlinked stays apart until it is merged.',
        args: pair,
        resolve: (_, merge, ctx) => undoKeepApart(ctx, merge).then(() => true),
      }),
    }
  })
}

function addTagging(schema: Schema, { asset }: AssetTypes): void {
  const tagging = schema.args((t) => ({
    assetIds: t.idList({ required: true }),
    tags: t.stringList({ required: true }),
  }))
  schema.mutationFields((t) => ({
    setAssetTags: t.field({
      ...canBeTried,
      type: [asset],
      description: 'Replaces the tags, whatever sources report.',
      args: tagging,
      resolve: (_, input, ctx) => setTags(ctx, input),
    }),
    addAssetTags: t.field({
      ...canBeTried,
      type: [asset],
      args: tagging,
      resolve: (_, input, ctx) => addTags(ctx, input),
    }),
    removeAssetTags: t.field({
      ...canBeTried,
      type: [asset],
      description: 'They stay removed even if a source reports them.',
      args: tagging,
      resolve: (_, input, ctx) => removeTags(ctx, input),
    }),
  }))
}

function addAttributes(schema: Schema, { asset, attribute }: AssetTypes): void {
  schema.mutationFields((t) => {
    const which = {
      assetId: t.arg.id({ required: true }),
      attribute: t.arg({ type: attribute, required: true }),
    }
    return {
      setAssetAttribute: t.field({
        ...canBeTried,
        type: asset,
        description: 'Sets an override; it takes precedence over every source.',
        args: {
          ...which,
          value: t.arg.string({ required: true }),
          reason: t.arg.string({ required: true, defaultValue: '' }),
          lock: t.arg.boolean({ required: true, defaultValue: false }),
        },
        resolve: (_, input, ctx) => setAttribute(ctx, input),
      }),
      clearAssetAttribute: t.field({
        ...canBeTried,
        type: asset,
        description: 'Removes the override.',
        args: which,
        resolve: (_, { assetId, attribute: name }, ctx) => clearAttribute(ctx, assetId, name),
      }),
    }
  })
}

function addCustomFields(schema: Schema, { customField, customFieldKind }: AssetTypes): void {
  schema.mutationFields((t) => ({
    defineCustomField: t.field({
      type: customField,
      args: {
        name: t.arg.string({ required: true }),
        kind: t.arg({ type: customFieldKind, required: true }),
        choices: t.arg.stringList({ description: 'Of a text: the values that it may have.' }),
      },
      resolve: (_, input, ctx) => defineCustomField(ctx, input),
    }),
    updateCustomField: t.field({
      type: customField,
      description: 'What is not given stays; values that assets have stay, too.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        choices: t.arg.stringList({ description: 'None: any value.' }),
      },
      resolve: (_, { id, ...change }, ctx) => updateCustomField(ctx, id, given(change)),
    }),
    orderCustomFields: t.field({
      type: [customField],
      description: 'Lists the fields in this order from now on; names every one of them.',
      args: { ids: t.arg.idList({ required: true }) },
      resolve: (_, { ids }, ctx) => orderCustomFields(ctx, ids),
    }),
    deleteCustomField: t.field({
      ...canBeTried,
      type: 'ID',
      description: 'Clears it on every asset that has it, each with an event.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteCustomField(ctx, id).then(() => id),
    }),
  }))
}

function addCustomValues(schema: Schema, { asset }: AssetTypes): void {
  schema.mutationFields((t) => {
    const which = { assetId: t.arg.id({ required: true }), fieldId: t.arg.id({ required: true }) }
    return {
      setCustomFieldOfAssets: t.field({
        ...canBeTried,
        type: 'Int',
        description: 'The same value on up to 1,000 assets; null clears. Answers on how many it changed.',
        args: {
          assetIds: t.arg.idList({ required: true }),
          fieldId: t.arg.id({ required: true }),
          value: t.arg({ type: 'JSON' }),
        },
        resolve: (_, { value, ...where }, ctx) =>
          setCustomFieldOfAssets(ctx, { ...where, value: (value ?? null) as string | null }),
      }),
      setCustomField: t.field({
        ...canBeTried,
        type: asset,
        description: 'A text, a number, true or false, or a date like "2026-03-31", as the field has it.',
        args: { ...which, value: t.arg({ type: 'JSON', required: true }) },
        resolve: (_, { value, ...field }, ctx) => setCustomField(ctx, { ...field, value: value as string }),
      }),
      clearCustomField: t.field({
        ...canBeTried,
        type: asset,
        args: which,
        resolve: (_, field, ctx) => clearCustomField(ctx, field),
      }),
    }
  })
}
