import { Type } from 'typebox'
import { listOf, listReply, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { lineText } from '#platform/validation/line-text.ts'
import type { Ctx } from '#platform/context.ts'
import { metrics } from '../entitlements/entitlement.ts'
import {
  assignEntitlement,
  changeEntitlement,
  deleteEntitlement,
  getContract,
  getEntitlement,
  listEntitlements,
  saveEntitlement,
  unassignEntitlement,
  usesOf,
} from '../entitlements/entitlements.ts'
import { pageOf } from './contracts.ts'
import { checkDates, optionalLine, termFields, termReply, textReply } from './term-fields.ts'

/** Extensions: entitlements, and to what their uses are assigned. */

const NAME_LENGTH_MAX = 200
const COUNT_MAX = 2_147_483_647
/** Assets or persons of one request. */
const USES_MAX = 500
const uuid = Type.String({ format: 'uuid' })
const uuidOrNull = Type.Union([uuid, Type.Null()])

const EntitlementJson = Type.Object(
  {
    id: uuid,
    product: Type.String(),
    vendor: textReply,
    metric: Type.Enum([...metrics]),
    count: Type.Union([Type.Integer(), Type.Null()], { description: 'null: without limit' }),
    used: Type.Integer({ description: 'uses that are assigned, without those of archived assets' }),
    versionFrom: textReply,
    versionTo: textReply,
    contractId: uuidOrNull,
    contract: Type.Union([Type.String(), Type.Null()], { description: 'its name' }),
    ...termReply,
  },
  { $id: 'Entitlement' },
)

const EntitlementUseJson = Type.Object(
  {
    id: uuid,
    assetId: uuidOrNull,
    assetName: textReply,
    person: textReply,
    assignedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'EntitlementUse' },
)

const details = {
  vendor: optionalLine(),
  count: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: COUNT_MAX }), Type.Null()])),
  versionFrom: optionalLine(),
  versionTo: optionalLine(),
  contractId: Type.Optional(uuidOrNull),
  ...termFields,
}

export const entitlementRoutes: readonly Route[] = [
  route(
    'GET',
    '/entitlements',
    {
      summary: 'An extension: rights to use products, by product, with how many uses are assigned.',
      query: Type.Object(pageQuery),
      reply: listOf(EntitlementJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(page, pageOf(await listEntitlements(ctx), page), (it) => it)
    },
  ),
  route(
    'GET',
    '/entitlements/:id',
    { summary: 'An extension: one entitlement.', reply: EntitlementJson },
    async (ctx, { params }) => ({ json: await getEntitlement(ctx, params['id'] ?? '') }),
  ),
  route(
    'POST',
    '/entitlements',
    {
      summary: 'An extension: adds an entitlement.',
      body: Type.Object({
        product: lineText(NAME_LENGTH_MAX),
        metric: Type.Enum([...metrics]),
        ...details,
      }),
      status: 201,
      takesIdempotencyKey: true,
      reply: EntitlementJson,
    },
    async (ctx, { body }) => {
      await check(ctx, body)
      return { json: await saveEntitlement(ctx, { ...body, id: undefined }) }
    },
  ),
  route(
    'PATCH',
    '/entitlements/:id',
    {
      summary: 'An extension: changes an entitlement; what is not given stays, null clears.',
      body: Type.Object(
        {
          product: Type.Optional(lineText(NAME_LENGTH_MAX)),
          metric: Type.Optional(Type.Enum([...metrics])),
          ...details,
        },
        { minProperties: 1 },
      ),
      findFirst: (ctx, params) => getEntitlement(ctx, params['id'] ?? ''),
      reply: EntitlementJson,
    },
    async (ctx, { params, body }) => {
      await check(ctx, body)
      return { json: await changeEntitlement(ctx, params['id'] ?? '', body) }
    },
  ),
  route(
    'DELETE',
    '/entitlements/:id',
    {
      summary: 'An extension: deletes an entitlement with its uses.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await deleteEntitlement(ctx, params['id'] ?? '')
      return { json: { message: 'entitlement deleted' } }
    },
  ),
  ...useRoutes(),
]

function useRoutes(): Route[] {
  return [
    route(
      'GET',
      '/entitlements/:id/uses',
      {
        summary: 'An extension: to which assets and persons uses are assigned.',
        reply: Type.Object({ data: Type.Array(EntitlementUseJson) }),
      },
      async (ctx, { params }) => ({ json: { data: await usesOf(ctx, params['id'] ?? '') } }),
    ),
    route(
      'POST',
      '/entitlements/:id/uses',
      {
        summary: 'An extension: assigns uses to assets and persons, all or none; those who have one keep it.',
        body: Type.Object({
          assetIds: Type.Array(uuid, { maxItems: USES_MAX }),
          persons: Type.Optional(
            Type.Array(lineText(NAME_LENGTH_MAX), {
              maxItems: USES_MAX,
              description: 'names or e-mail addresses',
            }),
          ),
        }),
        findFirst: (ctx, params) => getEntitlement(ctx, params['id'] ?? ''),
        reply: EntitlementJson,
      },
      async (ctx, { params, body: { assetIds, persons = [] } }) => {
        const entitlementId = params['id'] ?? ''
        const isNobody = assetIds.length + persons.length === 0
        const json = isNobody
          ? await getEntitlement(ctx, entitlementId)
          : await assignEntitlement(ctx, { entitlementId, assetIds, persons })
        return { json }
      },
    ),
    route(
      'DELETE',
      '/entitlements/:id/uses/:useId',
      { summary: 'An extension: takes a use away.', reply: EntitlementJson },
      async (ctx, { params }) => {
        const { id: entitlementId = '', useId = '' } = params
        return { json: await unassignEntitlement(ctx, { entitlementId, useIds: [useId], mustBeThere: true }) }
      },
    ),
  ]
}

/** 400 for what is no value, 404 for a contract that is not there. */
async function check(
  ctx: Ctx,
  body: { readonly contractId?: string | null; readonly begins?: unknown },
): Promise<void> {
  checkDates(body)
  if (typeof body.contractId === 'string') await getContract(ctx, body.contractId)
}
