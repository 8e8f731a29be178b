import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { CustomField, CustomValue } from './custom-field.ts'

/** Custom fields and their values. */

const columns = sql`f.id, f.name, f.key, f.aliases, f.kind, f.choices`

/** Behind the others. Undefined when a field of that name exists. */
export function addField(
  ctx: Ctx,
  { id, name, key, kind, choices }: CustomField,
): Promise<CustomField | undefined> {
  return ctx.db.maybe(sql<CustomField>`
    insert into asset_custom_fields as f (id, tenant_id, name, key, kind, choices, place)
    select ${id}, ${ctx.tenantId}, ${name}, ${key}, ${kind}, ${choices && [...choices]}::text[], coalesce(max(o.place), 0) + 1
    from asset_custom_fields o where o.tenant_id = ${ctx.tenantId}
    on conflict (tenant_id, name) do nothing returning ${columns}`)
}

export function fields(ctx: Ctx): Promise<CustomField[]> {
  return ctx.db.all(sql<CustomField>`
    select ${columns} from asset_custom_fields f where f.tenant_id = ${ctx.tenantId} order by f.place, f.name, f.id`)
}

/** It is not deleted before the end of the transaction. */
export function field(ctx: Ctx, id: string): Promise<CustomField | undefined> {
  return ctx.db.maybe(sql<CustomField>`
    select ${columns} from asset_custom_fields f where f.tenant_id = ${ctx.tenantId} and f.id = ${id} for key share`)
}

/** Until the end of the transaction the field is changed by no other, and nobody sets values of it. */
export function lockField(ctx: Ctx, id: string): Promise<CustomField | undefined> {
  return ctx.db.maybe(sql<CustomField>`
    select ${columns} from asset_custom_fields f where f.tenant_id = ${ctx.tenantId} and f.id = ${id} for update`)
}

export async function changeField(ctx: Ctx, field: CustomField): Promise<void> {
  const { id, name, key, aliases, choices } = field
  await ctx.db.run(sql`
    update asset_custom_fields set name = ${name}, key = ${key}, aliases = ${[...aliases]}::text[],
      choices = ${choices && [...choices]}::text[]
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function orderFields(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    update asset_custom_fields f set place = r.place
    from unnest(${[...ids]}::uuid[]) with ordinality as r(id, place)
    where f.tenant_id = ${ctx.tenantId} and f.id = r.id`)
}

export async function removeField(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from asset_custom_fields where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function values(ctx: Ctx, assetId: string): Promise<CustomValue[]> {
  return ctx.db.all(sql<CustomValue>`
    select ${columns}, v.value
    from asset_custom_values v join asset_custom_fields f on f.id = v.field_id and f.tenant_id = ${ctx.tenantId}
    where v.tenant_id = ${ctx.tenantId} and v.asset_id = ${assetId} order by f.place, f.name, f.id`)
}

export interface FieldValue {
  readonly assetId: string
  readonly value: CustomValue['value']
}

/** Those of the assets that have one. */
export function valuesOfField(ctx: Ctx, fieldId: string, assetIds: readonly string[]): Promise<FieldValue[]> {
  return ctx.db.all(sql<FieldValue>`
    select asset_id as "assetId", value from asset_custom_values
    where tenant_id = ${ctx.tenantId} and field_id = ${fieldId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

export interface ValueOfField extends FieldValue {
  readonly fieldId: string
}

export function valuesOfFields(
  ctx: Ctx,
  fieldIds: readonly string[],
  assetIds: readonly string[],
): Promise<ValueOfField[]> {
  return ctx.db.all(sql<ValueOfField>`
    select asset_id as "assetId", field_id as "fieldId", value from asset_custom_values
    where tenant_id = ${ctx.tenantId} and field_id = any(${[...fieldIds]}::uuid[])
      and asset_id = any(${[...assetIds]}::uuid[])`)
}

/** Some assets that have a value of the field. */
export async function someWithField(ctx: Ctx, fieldId: string, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ assetId: string }>`
    select asset_id as "assetId" from asset_custom_values
    where tenant_id = ${ctx.tenantId} and field_id = ${fieldId} order by asset_id limit ${limit}`)
  return rows.map(({ assetId }) => assetId)
}

/** Answers the assets whose value changed. */
export async function writeValues(
  ctx: Ctx,
  fieldId: string,
  assetIds: readonly string[],
  value: unknown,
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ assetId: string }>`
    insert into asset_custom_values as v (tenant_id, asset_id, field_id, value)
    select ${ctx.tenantId}, asset_id, ${fieldId}, ${JSON.stringify(value)}::jsonb
    from unnest(${[...assetIds].sort()}::uuid[]) as r(asset_id)
    on conflict (tenant_id, asset_id, field_id) do update set value = excluded.value where v.value <> excluded.value
    returning v.asset_id as "assetId"`)
  return rows.map(({ assetId }) => assetId)
}

/** Answers those that changed something. */
export function writeEach(ctx: Ctx, values: readonly ValueOfField[]): Promise<ValueOfField[]> {
  return ctx.db.all(sql<ValueOfField>`
    insert into asset_custom_values as v (tenant_id, asset_id, field_id, value)
    select ${ctx.tenantId}, "assetId", "fieldId", value
    from json_to_recordset(${JSON.stringify(values)}::json) as r("assetId" uuid, "fieldId" uuid, value jsonb)
    order by "assetId", "fieldId"
    on conflict (tenant_id, asset_id, field_id) do update set value = excluded.value where v.value <> excluded.value
    returning v.asset_id as "assetId", v.field_id as "fieldId", v.value`)
}

/** Answers the assets that had a value. */
export async function dropValues(ctx: Ctx, fieldId: string, assetIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ assetId: string }>`
    delete from asset_custom_values
    where tenant_id = ${ctx.tenantId} and field_id = ${fieldId} and asset_id = any(${[...assetIds]}::uuid[])
    returning asset_id as "assetId"`)
  return rows.map(({ assetId }) => assetId)
}
