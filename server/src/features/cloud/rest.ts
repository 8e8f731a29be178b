import { Type } from 'typebox'
import { listHeaders, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { listResources } from './cloud.ts'
import { cloudProviders, resourceTypes, type CloudResource } from './cloud-resource.ts'

const CloudResourceJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    provider: Type.Enum([...cloudProviders]),
    name: Type.String(),
    type: Type.Enum([...resourceTypes]),
    region: Type.String({ description: '`global` for what is in no region' }),
    status: Type.String({ description: 'as the provider tells it; empty when it does not' }),
  },
  { $id: 'CloudResource' },
)

const filter = (description: string) => Type.Optional(Type.String({ description }))

export const rest: readonly Route[] = [
  route(
    'GET',
    '/cloud-resources',
    {
      summary: 'Lists discovered cloud resources, by provider and name.',
      query: Type.Object({
        ...pageQuery,
        provider: filter(`one of ${cloudProviders.join(', ')}`),
        type: filter(`one of ${resourceTypes.join(', ')}`),
        region: filter('exact region'),
      }),
      reply: Type.Object({
        data: Type.Array(CloudResourceJson),
        meta: Type.Object({
          count: Type.Integer({ description: 'resources in all' }),
          tenant: Type.String({ format: 'uuid' }),
        }),
      }),
    },
    async (ctx, { query: { provider, type, region, ...query } }) => {
      const page = parsePage(query)
      const listed = await listResources(ctx, page, { provider, type, region, isOfCloud: true })
      return {
        json: { data: listed.items.map(toJson), meta: { count: listed.total, tenant: ctx.tenantId } },
        headers: listHeaders({ ...page, total: listed.total }),
      }
    },
  ),
]

const toJson = ({
  id,
  provider,
  name,
  type,
  region,
  status,
}: Pick<CloudResource, 'id' | 'provider' | 'name' | 'type' | 'region' | 'status'>) => ({
  id,
  provider,
  name,
  type,
  region,
  status,
})
