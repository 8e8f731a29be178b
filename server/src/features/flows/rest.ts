import { Type } from 'typebox'
import { listHeaders, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { triggerKinds, type Flow } from './flow.ts'
import { listFlows } from './flows.ts'

const FlowJson = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  triggerType: Type.String({ description: triggerKinds.join(', ') }),
  lastTriggeredAt: Type.String({ description: 'RFC 3339; empty if the flow never ran' }),
})

const FlowsJson = Type.Object({
  data: Type.Array(FlowJson),
  meta: Type.Object({
    count: Type.Integer({ description: 'of all flows' }),
    tenant: Type.String({ format: 'uuid' }),
  }),
})

export const rest: readonly Route[] = [
  route(
    'GET',
    '/flows',
    { summary: 'Lists automation flows, newest first.', query: Type.Object(pageQuery), reply: FlowsJson },
    async (ctx, { query }) => {
      const page = parsePage(query)
      const { items, total } = await listFlows(ctx, page)
      return {
        json: { data: items.map(toJson), meta: { count: total, tenant: ctx.tenantId } },
        headers: listHeaders({ ...page, total }),
      }
    },
  ),
]

const toJson = (flow: Flow) => ({
  id: flow.id,
  name: flow.name,
  description: flow.description,
  enabled: flow.enabled,
  triggerType: flow.triggerKind,
  lastTriggeredAt: flow.lastTriggeredAt ?? '',
})
