import { Type } from 'typebox'
import { listHeaders, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { lineText } from '#platform/validation/line-text.ts'
import { exportFlow, FLOW_SCHEMA, importFlow } from './export-flow.ts'
import { triggerKinds, type Flow } from './flow.ts'
import { DESCRIPTION_LENGTH_MAX, listFlows, NAME_LENGTH_MAX } from './flows.ts'

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

const schema = Type.Literal(FLOW_SCHEMA)
const definitionText = 'trigger, condition and steps, as docs/flows.md has them'
const digestText = 'SHA-256 of name, description and definition as JSON with sorted keys, in hexadecimal'

const FlowFileJson = Type.Object({
  schema,
  name: Type.String(),
  description: Type.String(),
  definition: Type.Unknown({ description: definitionText }),
  secrets: Type.Array(Type.String(), { description: 'names of the secrets that it asks for' }),
  digest: Type.String({ description: digestText }),
})

const ImportedFlowJson = Type.Object({
  schema,
  name: lineText(NAME_LENGTH_MAX),
  description: Type.Optional(
    Type.String({ documentedAs: { pattern: '^[^\\u0000]*$', maxLength: DESCRIPTION_LENGTH_MAX } }),
  ),
  definition: Type.Object({}, { description: definitionText, documentedAs: { format: 'flow-definition' } }),
  secrets: Type.Optional(Type.Array(Type.String())),
  digest: Type.Optional(
    Type.String({ description: digestText, documentedAs: { format: 'digest', pattern: '^[0-9a-f]{64}$' } }),
  ),
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
  route(
    'GET',
    '/flows/:id/export',
    { summary: 'The newest version of a flow as a file, secrets by name alone.', reply: FlowFileJson },
    async (ctx, { params }) => ({ json: await exportFlow(ctx, params['id'] ?? '') }),
  ),
  route(
    'POST',
    '/flows/import',
    {
      summary: 'Creates a flow from an exported file, as a draft that is off.',
      body: ImportedFlowJson,
      status: 201,
      takesIdempotencyKey: true,
      reply: FlowJson,
    },
    async (ctx, { body }) => ({ json: toJson(await importFlow(ctx, body)) }),
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
