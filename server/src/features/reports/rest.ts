import { Type } from 'typebox'
import { exportHeaderSentences, listOf, listReply, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { createReport, downloadReport, getReport, listReports } from './reports.ts'
import { fileKinds, reportFormats, reportStatuses, reportTypes, type Report } from './report.ts'

const ReportJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    type: Type.Enum([...reportTypes]),
    format: Type.Enum([...reportFormats], { description: 'excel is an .xlsx workbook' }),
    status: Type.Enum([...reportStatuses], { description: 'of the latest generation' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Report' },
)

const NewReportJson = Type.Object({
  name: Type.String({
    description: 'not blank, at most 200 characters, no control characters',
    documentedAs: {
      minLength: 1,
      maxLength: 200,
      pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`,
    },
  }),
  type: Type.Enum([...reportTypes]),
  format: Type.Optional(Type.Enum([...reportFormats], { description: 'csv unless given' })),
  asset_ids: Type.Optional(
    Type.Array(
      Type.String({
        documentedAs: { pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
      }),
      {
        maxItems: 10_000,
        description:
          'UUIDs: limits the report to these assets; unknown ones are not in it, and none means all',
      },
    ),
  ),
  period: Type.Optional(
    Type.String({
      description:
        'understood: 2026, 2026-Q3, 2026-09, 2026-01-01/2026-03-31, last-30-days; anything else is printed and filters nothing',
      documentedAs: { maxLength: 100, pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$` },
    }),
  ),
})

export const rest: readonly Route[] = [
  route(
    'GET',
    '/reports',
    {
      summary: 'List reports with the status of their latest generation, newest first.',
      query: Type.Object(pageQuery),
      reply: listOf(ReportJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(page, await listReports(ctx, page), toJson)
    },
  ),
  route('GET', '/reports/:id', { summary: 'One report.', reply: ReportJson }, async (ctx, { params }) => ({
    json: toJson(await getReport(ctx, params['id'] ?? '')),
  })),
  route(
    'POST',
    '/reports',
    {
      summary: 'Creates a report and queues its first generation.',
      body: NewReportJson,
      status: 201,
      takesIdempotencyKey: true,
      reply: ReportJson,
    },
    async (ctx, { body }) => {
      const { asset_ids: assetIds, ...rest } = body
      return { json: toJson(await createReport(ctx, { ...rest, assetIds })) }
    },
  ),
  route(
    'GET',
    '/reports/:id/download',
    {
      summary: 'The file of the latest successful snapshot.',
      mayConflict: true,
      replyHeaders: {
        'Content-Disposition': exportHeaderSentences['Content-Disposition'],
        'X-Report-Snapshot-Id': 'Of the generation that the file is of.',
        'X-Report-Generated-At': 'When that was, RFC 3339.',
        ETag: 'The SHA-256 of the file.',
      },
      reply: Object.values(fileKinds).map(({ mediaType }) => mediaType),
    },
    async (ctx, { params }) => {
      const { snapshot, mediaType, content, bytes } = await downloadReport(ctx, params['id'] ?? '')
      return {
        file: { mediaType, content, bytes },
        headers: {
          'content-disposition': `attachment; filename="${snapshot.fileName}"`,
          'x-report-snapshot-id': snapshot.id,
          'x-report-generated-at': snapshot.generatedAt,
          etag: `"${snapshot.fileDigest}"`,
        },
      }
    },
  ),
]

const toJson = ({ id, name, type, format, status, createdAt }: Report) => ({
  id,
  name,
  type,
  format,
  status,
  createdAt,
})
