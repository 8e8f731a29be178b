import {
  exportedTexts,
  frameworkId,
  frameworkOf,
  requireStatement,
  statementRows,
  type StatedControl,
  type Statement,
} from '#features/compliance/compliance.ts'
import { emit } from '#features/events/events.ts'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { writeDataset, type Column, type Dataset } from '../dataset/dataset.ts'
import { organisationName } from '../generating/collecting-store.ts'
import { renderFile } from '../generating/render-file.ts'
import type { ReportFormat } from '../report.ts'
import { securityPlanOf } from './oscal/security-plan.ts'
import { printOptions, type PrintOptions } from '../printing/print-options.ts'
import { extensionOf, type StatementFormat } from './statement-format.ts'

/** Files of statements of applicability, made by the writers of reports. */

const LENGTH_OF_DAY = 'YYYY-MM-DD'.length

const columns: readonly Column[] = [
  { name: 'control', title: 'Control', kind: 'text' },
  { name: 'title', title: 'Title', kind: 'text' },
  { name: 'applicable', title: 'Applicable', kind: 'yesno' },
  { name: 'justification', title: 'Justification', kind: 'text' },
  { name: 'implementation', title: 'Implementation', kind: 'text' },
  { name: 'owner', title: 'Owner', kind: 'text' },
  { name: 'measures', title: 'Measures', kind: 'text' },
  { name: 'evidence', title: 'Evidence', kind: 'text' },
  { name: 'risks', title: 'Risks', kind: 'text' },
  { name: 'reviewed_on', title: 'Reviewed on', kind: 'date' },
  { name: 'next_review_on', title: 'Next review on', kind: 'date' },
  { name: 'status', title: 'Evaluated status', kind: 'text' },
  { name: 'exceptions', title: 'Exceptions', kind: 'text' },
]

/** Of the framework itself, where the organisation imported them and its licence lets them stand in files. */
const licensedColumns: readonly Column[] = [
  { name: 'licensed_title', title: 'Title in the framework', kind: 'text' },
  { name: 'licensed_text', title: 'Text of the framework', kind: 'text' },
]

export interface StatementFile {
  readonly fileName: string
  readonly content: Buffer
}

/** EXPORT_COMPLETED tells of it once it is made. */
export async function exportStatement(ctx: Ctx, id: string, format: StatementFormat): Promise<StatementFile> {
  permit(ctx, 'compliance:read')
  const statement = await requireStatement(ctx, id)
  const rows = await statementRows(ctx, id)
  const { framework, version } = statement
  const content =
    format === 'oscal' ? await planOf(ctx, statement, rows) : await rendered(ctx, statement, { rows, format })
  const fileName = `statement-${framework}-${version}.${extensionOf(format)}`
  await atomically(ctx, async (inner) => {
    const payload = {
      export_id: newUuid(inner.now()),
      kind: 'statement_of_applicability',
      format,
      completed_at: inner.now().toISOString(),
      row_count: rows.length,
      filename: fileName,
      resource_id: frameworkId(framework),
      framework,
    }
    await emit(inner, [{ type: 'EXPORT_COMPLETED', payload }])
    await record(inner, 'compliance_statement.exported', { type: 'compliance_statement', id }, { format })
  })
  return { fileName, content }
}

async function planOf(ctx: Ctx, statement: Statement, rows: readonly StatedControl[]): Promise<Buffer> {
  const framework = frameworkOf(statement.framework)
  if (!framework) throw notFound('framework')
  const organisation = await organisationName(ctx)
  const plan = securityPlanOf({ tenantId: ctx.tenantId, organisation, framework, statement, rows })
  return Buffer.from(`${JSON.stringify(plan, null, 2)}\n`)
}

async function rendered(
  ctx: Ctx,
  statement: Statement,
  { rows, format }: { readonly rows: readonly StatedControl[]; readonly format: ReportFormat },
): Promise<Buffer> {
  const printing = await printOptions(ctx, format)
  const dataset = await datasetOf(ctx, statement, { rows, printing })
  const order = {
    format,
    dataset: dataset.content,
    digest: dataset.digest.toString('hex'),
    fontsFolder: ctx.fontsFolder,
  }
  const pieces: Uint8Array[] = []
  for await (const piece of renderFile(order)) pieces.push(new Uint8Array(piece))
  return Buffer.concat(pieces)
}

async function datasetOf(
  ctx: Ctx,
  { id, framework, version, state, approvedAt, approvedByName, approvedRole, createdAt }: Statement,
  { rows, printing }: { readonly rows: readonly StatedControl[]; readonly printing: PrintOptions },
): Promise<Dataset> {
  const dataset = writeDataset()
  const approval =
    approvedAt === null
      ? `Not approved: ${state.replace('_', ' ')}.`
      : `Approved on ${approvedAt.slice(0, LENGTH_OF_DAY)} by ${approvedByName}, ${approvedRole}.`
  await dataset.add({
    about: {
      name: `Statement of applicability, version ${version}`,
      organisation: await organisationName(ctx),
      type: 'compliance_report',
      snapshotId: id,
      asOf: approvedAt ?? createdAt,
      scope: framework,
      notes: [approval, ...printing.notes],
      ...printing.about,
    },
  })
  const texts = new Map((await exportedTexts(ctx, framework)).map((it) => [it.controlId, it]))
  const all = texts.size === 0 ? columns : [...columns, ...licensedColumns]
  await dataset.add({ section: { name: 'controls', title: 'Controls', isMain: true, columns: all } })
  for (const it of rows)
    await dataset.add({
      row: [
        it.controlId,
        it.title,
        it.isApplicable,
        it.justification,
        it.implementation,
        it.owner,
        it.measures,
        it.evidence,
        it.risks,
        it.reviewedOn || null,
        it.nextReviewOn || null,
        it.status,
        it.exceptions.join('\n'),
        ...(texts.size === 0
          ? []
          : [texts.get(it.controlId)?.title ?? '', texts.get(it.controlId)?.text ?? '']),
      ],
    })
  return dataset.end()
}
