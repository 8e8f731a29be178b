import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import type { Span, Trace } from './trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
  }
}

/**
 * Each request as a span, from its head to the end of its answer, within the trace that its caller names. Of the request
 * it has method and route as declared; address, query and body are not told.
 */
export function addRequestSpans(app: FastifyInstance, trace: Trace | undefined): void {
  app.decorateRequest('span', undefined)
  if (!trace) return
  app.addHook('onRequest', async (request) => {
    const { method, routeOptions, headers, id } = request
    const route = routeOptions.url ?? 'none'
    const parent = headers['traceparent']
    request.span = trace.begin(`${method} ${route}`, {
      kind: 'server',
      parent: typeof parent === 'string' ? parent : undefined,
      attributes: { 'http.request.method': method, 'http.route': route, 'rollcall.request_id': id },
    })
  })
  app.addHook('onResponse', async ({ span }, { statusCode }) => {
    span?.note({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.fail(undefined)
    span?.end()
  })
}

/** What is done for the request is within its span, and what is logged of it names request and tenant. */
export function withinRequest(ctx: Ctx, { id: requestId, span }: FastifyRequest): Ctx {
  const { tenantId } = ctx
  span?.note({ 'rollcall.tenant': tenantId, 'rollcall.actor.kind': ctx.actor.kind })
  const log = ctx.log.child({ requestId, tenantId, ...(span && { traceId: span.traceId }) })
  return { ...ctx, log, ...(span && { trace: span }) }
}
