import { Type, type Static } from 'typebox'
import { route, type Route } from '#platform/http/route.ts'
import { lineText } from '#platform/validation/line-text.ts'
import { customFieldKinds, type CustomField, type CustomValue } from '../editing/custom-field.ts'
import {
  defineCustomField,
  deleteCustomField,
  listCustomFields,
  orderCustomFields,
  updateCustomField,
} from '../editing/custom-fields.ts'
import { customValuesOf, setCustomFieldOfAssets } from '../editing/custom-values.ts'

/** Extensions: the custom fields of the tenant, and their values. */

const NAME_LENGTH_MAX = 100
const ASSETS_MAX = 1_000

const choices = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'of a text: the values that it may have; null: any',
})

const CustomFieldJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    key: Type.String({ description: 'in conditions, imports and exports it is called `custom.` and this' }),
    kind: Type.Enum([...customFieldKinds]),
    choices,
  },
  { $id: 'CustomField' },
)

const toJson = ({ id, name, key, kind, choices: all }: CustomField): Static<typeof CustomFieldJson> => ({
  id,
  name,
  key,
  kind,
  choices: all && [...all],
})

const anyValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
  description: 'as the kind of the field has it; a date is a text such as 2026-03-31',
})
const ValueJson = Type.Object({
  fieldId: Type.String({ format: 'uuid' }),
  key: Type.String(),
  name: Type.String(),
  value: anyValue,
})
const valueOrNull = Type.Union([anyValue, Type.Null()], { description: 'null clears' })
const valueToJson = ({ id, key, name, value }: CustomValue) => ({ fieldId: id, key, name, value })
const Changed = Type.Object({ changed: Type.Integer({ description: 'assets whose value changed' }) })

export const customFieldRoutes: readonly Route[] = [
  route(
    'GET',
    '/custom-fields',
    {
      summary: 'An extension: the custom fields of assets, in their order.',
      reply: Type.Object({ data: Type.Array(CustomFieldJson) }),
    },
    async (ctx) => ({ json: { data: (await listCustomFields(ctx)).map(toJson) } }),
  ),
  route(
    'POST',
    '/custom-fields',
    {
      summary: 'An extension: defines a custom field; its choices are set by PATCH.',
      body: Type.Object({ name: lineText(NAME_LENGTH_MAX), kind: Type.Enum([...customFieldKinds]) }),
      status: 201,
      takesIdempotencyKey: true,
      reply: CustomFieldJson,
    },
    async (ctx, { body }) => ({ json: toJson(await defineCustomField(ctx, body)) }),
  ),
  route(
    'PUT',
    '/custom-fields',
    {
      summary: 'An extension: lists the custom fields in this order from now on.',
      body: Type.Object({
        ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'of all of them' }),
      }),
      reply: Type.Object({ data: Type.Array(CustomFieldJson) }),
    },
    async (ctx, { body }) => ({ json: { data: (await orderCustomFields(ctx, body.ids)).map(toJson) } }),
  ),
  route(
    'PATCH',
    '/custom-fields/:id',
    {
      summary: 'An extension: changes a custom field; what is not given stays.',
      body: Type.Object(
        { name: Type.Optional(lineText(NAME_LENGTH_MAX)), choices: Type.Optional(choices) },
        { minProperties: 1 },
      ),
      reply: CustomFieldJson,
    },
    async (ctx, { params, body }) => ({
      json: toJson(await updateCustomField(ctx, params['id'] ?? '', body)),
    }),
  ),
  route(
    'DELETE',
    '/custom-fields/:id',
    {
      summary: 'An extension: deletes a custom field; it is cleared on every asset, each with an event.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await deleteCustomField(ctx, params['id'] ?? '')
      return { json: { message: 'custom field deleted' } }
    },
  ),
  ...valueRoutes(),
]

function valueRoutes(): readonly Route[] {
  return [
    route(
      'POST',
      '/custom-fields/:id/values',
      {
        summary: 'An extension: sets the same value on up to 1,000 assets, all or none.',
        body: Type.Object({
          assetIds: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: ASSETS_MAX }),
          value: valueOrNull,
        }),
        reply: Changed,
      },
      async (ctx, { params, body: { assetIds, value } }) => {
        const fieldId = params['id'] ?? ''
        return { json: { changed: await setCustomFieldOfAssets(ctx, { assetIds, fieldId, value }) } }
      },
    ),
    route(
      'GET',
      '/assets/:id/custom-fields',
      {
        summary: 'An extension: the values of custom fields that are set.',
        reply: Type.Object({ data: Type.Array(ValueJson) }),
      },
      async (ctx, { params }) => ({
        json: { data: (await customValuesOf(ctx, params['id'] ?? '')).map(valueToJson) },
      }),
    ),
    route(
      'PUT',
      '/assets/:id/custom-fields/:fieldId',
      {
        summary: 'An extension: sets or clears the value of a custom field.',
        body: Type.Object({ value: valueOrNull }),
        reply: Changed,
      },
      async (ctx, { params, body: { value } }) => {
        const { id = '', fieldId = '' } = params
        return { json: { changed: await setCustomFieldOfAssets(ctx, { assetIds: [id], fieldId, value }) } }
      },
    ),
  ]
}
