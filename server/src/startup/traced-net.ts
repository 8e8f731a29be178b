import type { Net } from '#platform/egress/net.ts'
import type { Trace } from '#platform/observability/trace.ts'

const EVENT_TYPE = 'x-service-event'
const EVENT_ID = 'x-service-event-id'

/**
 * Each POST of ours as a span: a delivery by its event, anything else by its host. Paths, headers and bodies are not told:
 * they hold secrets of receivers, and what assets are called.
 */
export function tracedNet(net: Net, trace: Trace): Net {
  return {
    ...net,
    async post(post) {
      const type = post.headers[EVENT_TYPE]
      const id = post.headers[EVENT_ID]
      const span = trace.begin(type === undefined ? 'POST' : 'delivery', {
        kind: 'client',
        attributes: {
          'http.request.method': 'POST',
          'server.address': post.url.hostname,
          ...(type !== undefined && { 'rollcall.event.type': type }),
          ...(id !== undefined && { 'rollcall.event.id': id }),
        },
      })
      const answer = await net.post(post)
      if (answer.status !== undefined) span.note({ 'http.response.status_code': answer.status })
      if (answer.fault !== undefined) span.note({ 'error.type': answer.fault })
      span.end()
      return answer
    },
  }
}
