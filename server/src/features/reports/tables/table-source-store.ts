import { sql, type RawBuilder } from 'kysely'
import type { PartCollection, PartField, Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { permit } from '#platform/context.ts'
import type { TableRows } from './chosen-table.ts'

/** The rows that a custom report can show, and the fields that each of them has. */
export interface TableSource {
  /** What conditions on the rows may ask about. */
  readonly subject: Subject
  readonly fields: readonly PartField[]
  /** Tables, among them `assets a`. */
  readonly from: RawBuilder<unknown>
  /** That they are the tenant's. */
  readonly where: RawBuilder<unknown>
  /** Different for any two rows of the same asset. */
  readonly id: RawBuilder<unknown>
}

/** Throws 403 for an actor who may not read such rows. Fields that the actor may not read are not there. */
export async function tableSource(ctx: Ctx, rows: TableRows): Promise<TableSource> {
  if (rows === 'findings') {
    permit(ctx, 'vulnerabilities:read')
    const subject = await ctx.conditions.on(ctx, 'finding')
    return { ...subject, subject }
  }
  const subject = await ctx.conditions.on(ctx, 'asset')
  return rows === 'assets' ? { ...subject, subject } : softwareSource(subject)
}

function softwareSource(subject: Subject): TableSource {
  const software = subject.collections.find(({ name }) => name === 'software')
  if (!software?.dictionary) throw new Error('conditions on assets know no software')
  const { from, of, dictionary } = software
  const values = valuedFields(software).map(({ value }, at) => sql`${value} as ${sql.ref(`f${at}`)}`)
  return {
    subject,
    fields: [
      ...valuedFields(software).map(({ field: { label: _label, ...field } }, at) => ({
        ...field,
        sql: sql.ref(`held.f${at}`),
      })),
      ...subject.fields.map((field) => ({ ...field, name: `asset.${field.name}` })),
    ],
    // an asset with several sources may have the same software twice
    from: sql`${subject.from} cross join lateral (
      select distinct on (${dictionary.id}) ${dictionary.id} as id, ${sql.join(values)} from ${from} where ${of}) held`,
    where: subject.where,
    id: sql.ref('held.id'),
  }
}

const valuedFields = ({ fields }: PartCollection) =>
  fields.flatMap((field) => {
    const value = valueOf(field)
    return value ? [{ field, value }] : []
  })

/** The value as people spell it. */
export const valueOf = ({ label, sql: value }: PartField): RawBuilder<unknown> | undefined => label ?? value

/** By its name, or one that it had. */
export const fieldNamed = ({ fields }: TableSource, name: string): PartField | undefined =>
  fields.find((it) => it.name === name && valueOf(it)) ??
  fields.find((it) => it.aliases?.includes(name) && valueOf(it))
