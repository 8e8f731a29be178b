import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Ctx } from '#platform/context.ts'
import { tenantOfAsset } from '../assets.ts'
import { customFieldKinds, type CustomField, type CustomFieldKind } from '../editing/custom-field.ts'
import {
  defineCustomField,
  deleteCustomField,
  listCustomFields,
  orderCustomFields,
  updateCustomField,
} from '../editing/custom-fields.ts'
import { clearCustomField, customValuesOf, setCustomField } from '../editing/custom-values.ts'

export const customFieldCommands: readonly Command[] = [
  {
    path: 'custom-field list',
    tenant: true,
    help: 'custom fields of assets, in their order',
    async run(ctx) {
      const fields = await listCustomFields(ctx)
      return { json: fields, text: fields.map(lineOf).join('\n') || 'None.' }
    },
  },
  {
    path: 'custom-field create',
    args: ['name'],
    tenant: true,
    options: {
      kind: { value: 'KIND', help: `${customFieldKinds.join(', ')}; text unless given` },
      choice: { value: 'TEXT', many: true, help: 'a value that it may have; absent: any' },
    },
    help: 'defines a custom field',
    async run(ctx, { args, options }) {
      const kind = options['kind'] ?? 'text'
      const field = await defineCustomField(ctx, {
        name: args['name'] ?? '',
        kind: kind as CustomFieldKind,
        choices: choicesIn(options) ?? null,
      })
      return { json: field, text: `Defined ${lineOf(field)}.` }
    },
  },
  {
    path: 'custom-field set',
    args: ['key'],
    tenant: true,
    options: {
      name: { value: 'NAME', help: 'another name; conditions find it by the earlier one too' },
      choice: { value: 'TEXT', many: true, help: 'all values that it may have from now on' },
      'any-value': { help: 'takes the choices away' },
    },
    help: 'changes a custom field; what is not given stays',
    async run(ctx, { args, options }) {
      const { name, 'any-value': any } = options
      const choices = any === true ? null : choicesIn(options)
      const field = await updateCustomField(ctx, (await fieldOf(ctx, args)).id, {
        ...(typeof name === 'string' && { name }),
        ...(choices !== undefined && { choices }),
      })
      return { json: field, text: `Now ${lineOf(field)}.` }
    },
  },
  {
    path: 'custom-field order',
    args: ['keys...'],
    tenant: true,
    help: 'lists the custom fields in this order; names all of them',
    async run(ctx, { args }) {
      const known = await listCustomFields(ctx)
      const keys = (args['keys'] ?? '').split(/[\s,]+/).filter((key) => key !== '')
      const ids = keys.map((key) => known.find((it) => it.key === key)?.id ?? '')
      const ordered = await orderCustomFields(ctx, ids)
      return { json: ordered, text: ordered.map(lineOf).join('\n') }
    },
  },
  {
    path: 'custom-field delete',
    args: ['key'],
    tenant: true,
    canBeTried: true,
    help: 'deletes a custom field and its values; receivers of events are told of each',
    async run(ctx, { args }) {
      const { id, name } = await fieldOf(ctx, args)
      await deleteCustomField(ctx, id)
      return { json: { id }, text: `Deleted ${name}.` }
    },
  },
  {
    path: 'asset field',
    args: ['id', 'key?', 'value?'],
    tenant: true,
    tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? ''),
    options: { clear: { help: 'takes the value away' } },
    help: 'shows custom fields of an asset, or sets one',
    run: runAssetField,
  },
]

async function runAssetField(ctx: Ctx, { args, options }: CommandInput) {
  const { id: assetId = '', key, value } = args
  if (key !== undefined) {
    const field = await fieldOf(ctx, args)
    if (options['clear'] === true) await clearCustomField(ctx, { assetId, fieldId: field.id })
    else if (value === undefined) throw invalid('value', 'must be given, or --clear')
    else await setCustomField(ctx, { assetId, fieldId: field.id, value: typed(field, value) })
  }
  const values = await customValuesOf(ctx, assetId)
  return {
    json: values.map((it) => ({ key: it.key, name: it.name, value: it.value })),
    text: values.map((it) => `${it.key}: ${String(it.value)}`).join('\n') || 'None is set.',
  }
}

/** The verb refuses what is no value of the kind. */
function typed({ kind }: CustomField, text: string): string | number | boolean {
  if (kind === 'number') return text.trim() === '' ? NaN : Number(text)
  if (kind !== 'boolean') return text
  return text === 'yes' || text === 'true' ? true : text === 'no' || text === 'false' ? false : text
}

async function fieldOf(ctx: Ctx, args: CommandInput['args']): Promise<CustomField> {
  const key = args['key'] ?? ''
  const field = (await listCustomFields(ctx)).find((it) => it.key === key || it.id === key || it.name === key)
  if (!field) throw notFound('custom field')
  return field
}

const choicesIn = (options: CommandInput['options']): string[] | undefined => {
  const given = options['choice']
  return typeof given === 'string' ? given.split('\n') : undefined
}

const lineOf = ({ key, kind, name, choices }: CustomField): string =>
  [key, kind, name, choices?.join(' | ')].filter(Boolean).join('  ')
