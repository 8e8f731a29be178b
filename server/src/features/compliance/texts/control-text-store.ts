import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ControlText, TextImport } from './control-text.ts'

/** In place of what was imported before for the framework. */
export async function replaceTexts(
  ctx: Ctx,
  { framework, isExported }: Pick<TextImport, 'framework' | 'isExported'>,
  texts: readonly ControlText[],
): Promise<void> {
  await removeTexts(ctx, framework)
  await ctx.db.run(sql`
    insert into compliance_text_imports (tenant_id, framework, is_exported, imported_at, imported_by_name)
    values (${ctx.tenantId}, ${framework}, ${isExported}, ${ctx.now()}, ${ctx.actor.name ?? ctx.actor.id})`)
  await ctx.db.run(sql`
    insert into compliance_control_texts (tenant_id, framework, control_id, title, text)
    select ${ctx.tenantId}, ${framework}, "controlId", title, text
    from json_to_recordset(${JSON.stringify(texts)}::json) as n("controlId" text, title text, text text)`)
}

/** False: there were none. */
export async function removeTexts(ctx: Ctx, framework: string): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    delete from compliance_text_imports where tenant_id = ${ctx.tenantId} and framework = ${framework}
    returning framework`)
  return rows.length > 0
}

/** Of a control; undefined where its text was not imported. */
export function controlText(
  ctx: Ctx,
  framework: string,
  controlId: string,
): Promise<Omit<ControlText, 'controlId'> | undefined> {
  return ctx.db.maybe(sql<Omit<ControlText, 'controlId'>>`
    select title, text from compliance_control_texts
    where tenant_id = ${ctx.tenantId} and framework = ${framework} and control_id = ${controlId}`)
}

/** Those that may stand in files. */
export function exportedTexts(ctx: Ctx, framework: string): Promise<ControlText[]> {
  return ctx.db.all(sql<ControlText>`
    select t.control_id as "controlId", t.title, t.text
    from compliance_text_imports i
    join compliance_control_texts t on t.tenant_id = ${ctx.tenantId} and t.framework = i.framework
    where i.tenant_id = ${ctx.tenantId} and i.framework = ${framework} and i.is_exported`)
}

export function textImports(ctx: Ctx): Promise<TextImport[]> {
  return ctx.db.all(sql<TextImport>`
    select framework, is_exported as "isExported", imported_at as "importedAt", imported_by_name as "importedByName",
      (select count(*) from compliance_control_texts t
        where t.tenant_id = ${ctx.tenantId} and t.framework = compliance_text_imports.framework) as controls
    from compliance_text_imports where tenant_id = ${ctx.tenantId} order by framework`)
}
