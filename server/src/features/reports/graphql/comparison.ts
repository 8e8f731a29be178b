import type { EnumOf, Schema } from '#platform/graphql/schema.ts'
import { compareSnapshots } from '../comparing/compare-snapshots.ts'
import type { ChangedCell, ComparedRow, Comparison } from '../comparing/compare-rows.ts'
import { cellText } from '../formats/csv.ts'
import type { ReportType } from '../report.ts'
import { previewReport, type ReportPreview } from '../reports.ts'
import type { TableTypes } from './tables.ts'
import { snapshotProof } from '../verifying/snapshot-proof.ts'

/** Rows of each kind that are answered; the counts are of all. */
const ROWS_MAX = 200

interface ComparisonTypes extends Pick<TableTypes, 'tableInput'> {
  readonly type: EnumOf<ReportType>
}

/** What is different between two snapshots, their proofs, and how a report would begin. */
export function addComparison(schema: Schema, { type, tableInput }: ComparisonTypes): void {
  const comparison = comparisonType(schema)
  const preview = previewType(schema)
  schema.queryFields((t) => ({
    compareReportSnapshots: t.field({
      type: comparison,
      description: `The main tables of two snapshots of a report; at most ${ROWS_MAX} rows of each kind are answered.`,
      args: { from: t.arg.id({ required: true }), to: t.arg.id({ required: true }) },
      resolve: (_, { from, to }, ctx) => compareSnapshots(ctx, from, to),
    }),
    reportSnapshotProof: t.field({
      type: 'JSON',
      description:
        'A snapshot as a file that `rollcall verify FILE --file REPORT` checks without the server.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => snapshotProof(ctx, id),
    }),
    reportPreview: t.field({
      type: preview,
      description: 'How the first page of a report would look now; nothing is stored.',
      args: {
        type: t.arg({ type, required: true }),
        assetIds: t.arg.idList(),
        where: t.arg.string(),
        period: t.arg.string(),
        table: t.arg({ type: tableInput }),
      },
      resolve: (_, { type: wanted, assetIds, where, period, table }, ctx) =>
        previewReport(ctx, {
          type: wanted,
          assetIds: assetIds ?? undefined,
          where: where ?? undefined,
          period: period ?? undefined,
          table: table ?? undefined,
        }),
    }),
  }))
}

function comparisonType(schema: Schema) {
  const cell = schema.objectRef<ChangedCell>('ReportCellChange').implement({
    fields: (t) => ({
      column: t.exposeString('column'),
      before: t.string({ description: 'Empty: not collected.', resolve: ({ before }) => cellText(before) }),
      after: t.string({ resolve: ({ after }) => cellText(after) }),
    }),
  })
  const row = schema.objectRef<ComparedRow>('ReportRowChange').implement({
    fields: (t) => ({
      key: t.exposeString('key'),
      name: t.exposeString('name'),
      cells: t.field({ type: [cell], resolve: ({ cells }) => [...cells] }),
    }),
  })
  return schema.objectRef<Comparison>('ReportComparison').implement({
    fields: (t) => ({
      addedCount: t.int({ resolve: ({ added }) => added.length }),
      goneCount: t.int({ resolve: ({ gone }) => gone.length }),
      changedCount: t.int({ resolve: ({ changed }) => changed.length }),
      unchangedCount: t.exposeInt('unchanged'),
      added: t.field({ type: [row], resolve: ({ added }) => added.slice(0, ROWS_MAX) }),
      gone: t.field({ type: [row], resolve: ({ gone }) => gone.slice(0, ROWS_MAX) }),
      changed: t.field({ type: [row], resolve: ({ changed }) => changed.slice(0, ROWS_MAX) }),
    }),
  })
}

function previewType(schema: Schema) {
  const row = schema.objectRef<ReportPreview['rows'][number]>('ReportPreviewRow').implement({
    fields: (t) => ({ cells: t.stringList({ resolve: ({ cells }) => [...cells] }) }),
  })
  return schema.objectRef<ReportPreview>('ReportPreview').implement({
    fields: (t) => ({
      scope: t.exposeString('scope'),
      notes: t.stringList({ resolve: ({ notes }) => [...notes] }),
      parts: t.stringList({ resolve: ({ parts }) => [...parts] }),
      columns: t.stringList({ resolve: ({ columns }) => [...columns] }),
      rows: t.field({ type: [row], resolve: ({ rows }) => [...rows] }),
      rowCount: t.exposeInt('rowCount', { description: 'Of the main table, as many as were read.' }),
      isMore: t.exposeBoolean('isMore'),
    }),
  })
}
