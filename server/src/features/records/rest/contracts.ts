import { Type } from 'typebox'
import { listOf, listReply, pageQuery, parsePage, type Listed, type Page } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { lineText } from '#platform/validation/line-text.ts'
import {
  changeContract,
  deleteContract,
  getContract,
  listContracts,
  saveContract,
} from '../entitlements/entitlements.ts'
import { checkDates, optionalLine, termFields, termReply, textReply } from './term-fields.ts'

/** Extensions: contracts. */

const NAME_LENGTH_MAX = 200

const ContractJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    supplier: textReply,
    number: textReply,
    ...termReply,
  },
  { $id: 'Contract' },
)

const details = { supplier: optionalLine(), number: optionalLine(), ...termFields }

export const contractRoutes: readonly Route[] = [
  route(
    'GET',
    '/contracts',
    {
      summary: 'An extension: contracts with suppliers, by name.',
      query: Type.Object(pageQuery),
      reply: listOf(ContractJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(page, pageOf(await listContracts(ctx), page), (it) => it)
    },
  ),
  route(
    'GET',
    '/contracts/:id',
    { summary: 'An extension: one contract.', reply: ContractJson },
    async (ctx, { params }) => ({ json: await getContract(ctx, params['id'] ?? '') }),
  ),
  route(
    'POST',
    '/contracts',
    {
      summary: 'An extension: adds a contract.',
      body: Type.Object({ name: lineText(NAME_LENGTH_MAX), ...details }),
      status: 201,
      takesIdempotencyKey: true,
      reply: ContractJson,
    },
    async (ctx, { body }) => {
      checkDates(body)
      return { json: await saveContract(ctx, { ...body, id: undefined }) }
    },
  ),
  route(
    'PATCH',
    '/contracts/:id',
    {
      summary: 'An extension: changes a contract; what is not given stays, null clears.',
      body: Type.Object({ name: Type.Optional(lineText(NAME_LENGTH_MAX)), ...details }, { minProperties: 1 }),
      findFirst: (ctx, params) => getContract(ctx, params['id'] ?? ''),
      reply: ContractJson,
    },
    async (ctx, { params, body }) => {
      checkDates(body)
      return { json: await changeContract(ctx, params['id'] ?? '', body) }
    },
  ),
  route(
    'DELETE',
    '/contracts/:id',
    {
      summary: 'An extension: deletes a contract and its files; refused while entitlements rest on it.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await deleteContract(ctx, params['id'] ?? '')
      return { json: { message: 'contract deleted' } }
    },
  ),
]

/** Of a list that is short enough to be read whole. */
export const pageOf = <T>(all: readonly T[], { limit, offset }: Page): Listed<T> => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
})
