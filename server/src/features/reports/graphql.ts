import {
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type EnumOf,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import {
  createReport,
  deleteReport,
  getReport,
  listReportsWithLatest,
  listSnapshots,
  runReport,
  withLatest,
  type ReportWithLatest,
} from './reports.ts'
import {
  reportFormats,
  reportStatuses,
  reportTypes,
  type ReportFormat,
  type ReportType,
  type Snapshot,
} from './report.ts'

export function graphql(schema: Schema): void {
  const type = schema.enumType('ReportType', { values: reportTypes })
  const format = schema.enumType('ReportFormat', { values: reportFormats })
  const status = schema.enumType('ReportStatus', { values: reportStatuses })
  const snapshot = addSnapshot(
    schema,
    schema.enumType('ReportSnapshotStatus', {
      values: ['generating', 'available', 'failed'] as const,
    }),
  )
  const report = schema.objectRef<ReportWithLatest>('Report').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      type: t.expose('type', { type }),
      format: t.expose('format', { type: format }),
      status: t.expose('status', { type: status, description: 'Of the latest generation.' }),
      period: t.string({ nullable: true, resolve: ({ filter }) => filter.period ?? null }),
      assetCount: t.int({
        nullable: true,
        description: 'How many assets were chosen; null: all.',
        resolve: ({ filter }) => filter.assetIds?.length ?? null,
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      createdBy: t.string({
        nullable: true,
        description: 'The address of the person; null for keys and the product itself.',
        resolve: ({ createdBy }) => createdBy.name ?? null,
      }),
      latest: t.expose('latest', {
        type: snapshot,
        nullable: true,
        description: 'The latest generation, whatever came of it.',
      }),
    }),
  })
  addQueries(schema, report, snapshot)
  addMutations(schema, { report, snapshot, type, format })
}

interface ReportTypes {
  readonly report: TypeOf<ReportWithLatest>
  readonly snapshot: TypeOf<Snapshot>
  readonly type: EnumOf<ReportType>
  readonly format: EnumOf<ReportFormat>
}

function addMutations(schema: Schema, { report, snapshot, type, format }: ReportTypes): void {
  schema.mutationFields((t) => ({
    createReport: t.field({
      type: report,
      description: 'Saves a report and generates it in the background.',
      args: {
        name: t.arg.string({ required: true }),
        type: t.arg({ type, required: true }),
        format: t.arg({ type: format, required: true, defaultValue: 'pdf' }),
        assetIds: t.arg.idList(),
        period: t.arg.string(),
      },
      resolve: async (_, { assetIds, period, ...input }, ctx) =>
        withLatest(
          ctx,
          await createReport(ctx, {
            ...input,
            assetIds: assetIds ?? undefined,
            period: period ?? undefined,
          }),
        ),
    }),
    runReport: t.field({
      type: snapshot,
      description: 'Generates a report anew, or answers the generation that is under way.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => runReport(ctx, id),
    }),
    deleteReport: t.field({
      type: 'ID',
      description: 'With all that was generated of it.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteReport(ctx, id).then(() => id),
    }),
  }))
}

function addSnapshot(schema: Schema, status: EnumOf<Snapshot['status']>): TypeOf<Snapshot> {
  return schema.objectRef<Snapshot>('ReportSnapshot').implement({
    description: 'One generation of a report.',
    fields: (t) => ({
      id: t.exposeID('id'),
      status: t.expose('status', { type: status }),
      message: t.exposeString('message', { description: 'How far it is, or why it failed.' }),
      requestedAt: t.expose('requestedAt', { type: 'DateTime' }),
      takenAt: t.expose('takenAt', {
        type: 'DateTime',
        nullable: true,
        description: 'The state of the inventory that it shows.',
      }),
      generatedAt: t.expose('generatedAt', { type: 'DateTime', nullable: true }),
      rowCount: t.exposeInt('rowCount', { nullable: true, description: 'Of the main table.' }),
      fileName: t.exposeString('fileName', { nullable: true }),
      fileBytes: t.exposeFloat('fileBytes', { nullable: true }),
      fileDigest: t.exposeString('fileDigest', { nullable: true, description: 'SHA-256, hexadecimal.' }),
    }),
  })
}

function addQueries(schema: Schema, report: TypeOf<ReportWithLatest>, snapshot: TypeOf<Snapshot>): void {
  const reportPage = pageType(schema, 'ReportPage', report)
  const snapshotPage = pageType(schema, 'ReportSnapshotPage', snapshot)
  schema.queryFields((t) => ({
    reports: t.field({
      type: reportPage,
      description: 'Newest first.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listReportsWithLatest(ctx, pageFrom(args)),
    }),
    report: t.field({
      type: report,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_, { id }, ctx) => withLatest(ctx, await getReport(ctx, id)),
    }),
    reportSnapshots: t.field({
      type: snapshotPage,
      description: 'The generations of a report, newest first.',
      args: { reportId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { reportId, ...args }, ctx) => listSnapshots(ctx, reportId, pageFrom(args)),
    }),
  }))
}
