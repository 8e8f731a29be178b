import { Type } from 'typebox'
import { listOf, listReply, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { cancelScan, createScan, listScans } from './scans.ts'
import type { Scan } from './scan.ts'
import { scanStatuses, scanTypes } from './scan-status.ts'

const ScanJson = Type.Object({
  scanId: Type.String({ format: 'uuid' }),
  status: Type.Union(scanStatuses.map((status) => Type.Literal(status))),
  startedAt: Type.String({ description: 'RFC 3339; empty until the scan starts' }),
  message: Type.String({ description: 'how far it is, what it found, or why it failed' }),
})

const NewScanJson = Type.Object({
  type: Type.Union(scanTypes.map((type) => Type.Literal(type))),
  target: Type.String({ format: 'uuid', description: 'an existing scan target' }),
})

export const rest: readonly Route[] = [
  route(
    'GET',
    '/scans',
    { summary: 'Lists scan jobs, newest first.', query: Type.Object(pageQuery), reply: listOf(ScanJson) },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(page, await listScans(ctx, page), toJson)
    },
  ),
  route(
    'POST',
    '/scans',
    {
      summary: 'Queues a scan of an existing scan target.',
      body: NewScanJson,
      status: 201,
      takesIdempotencyKey: true,
      reply: ScanJson,
    },
    async (ctx, { body }) => ({
      json: toJson(await createScan(ctx, { type: body.type, targetId: body.target })),
    }),
  ),
  route(
    'DELETE',
    '/scans/:id',
    { summary: 'Cancels a queued or running scan.', reply: Type.Object({ message: Type.String() }) },
    async (ctx, { params }) => {
      await cancelScan(ctx, params['id'] ?? '')
      return { json: { message: 'scan cancelled' } }
    },
  ),
]

const toJson = ({ id, status, startedAt, message }: Scan) => ({
  scanId: id,
  status,
  startedAt: startedAt ?? '',
  message,
})
