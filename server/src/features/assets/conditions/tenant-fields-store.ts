import { sql, type RawBuilder } from 'kysely'
import type { FieldType } from '#platform/conditions/field.ts'
import type { PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import type { CustomField, CustomFieldKind } from '../editing/custom-field.ts'

/** Conditions on custom fields: their values are in the column `custom` of the asset (`a`). */

const types: Readonly<Record<CustomFieldKind, FieldType>> = {
  text: 'text',
  number: 'number',
  boolean: 'bool',
  date: 'date',
}

export function customConditionField(ctx: Ctx, field: CustomField): PartField {
  const { id, key, aliases, name, kind, choices } = field
  return {
    name: `custom.${key}`,
    type: types[kind],
    ...(aliases.length > 0 && { aliases: aliases.map((it) => `custom.${it}`) }),
    ...(choices && { suggested: choices }),
    sentence: `The custom field ${name}.`,
    source: 'people, flows, and imports that have the column',
    sql: valueOf(kind, sql`(a.custom ->> ${sql.lit(id)})`),
    ...(kind === 'text' && {
      label: sql`(select v.value #>> '{}' from asset_custom_values v
        where v.tenant_id = ${ctx.tenantId} and v.asset_id = a.id and v.field_id = ${id})`,
    }),
  }
}

function valueOf(kind: CustomFieldKind, text: RawBuilder<unknown>): RawBuilder<unknown> {
  if (kind === 'number') return sql`${text}::float8`
  if (kind === 'boolean') return sql`${text}::boolean`
  return kind === 'date' ? sql`${text}::date` : text
}
