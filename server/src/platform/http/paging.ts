import { Type, type TArray, type TObject, type TSchema } from 'typebox'
import type { Reply } from './route.ts'

/** Where a list begins and how much of it is wanted. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** One page of a list, and how many items there are in all. */
export interface Listed<T> {
  readonly items: readonly T[]
  readonly total: number
}

const FIRST_ITEMS = 1_000

/**
 * The part of a list to ask `Db.cached` for when this page is wanted: the first pages have one in common, so that
 * whoever leafs through them has the list worked out once. The page begins `offset - from` items behind its beginning.
 */
export const partWith = ({ limit, offset }: Page): { readonly from: number; readonly most: number } =>
  offset + limit <= FIRST_ITEMS ? { from: 0, most: FIRST_ITEMS } : { from: offset, most: limit }

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 1_000

/** What a list takes for its limit. */
export interface LimitRange {
  readonly fallback: number
  readonly max: number
}

const LIMITS: LimitRange = { fallback: LIMIT_DEFAULT, max: LIMIT_MAX }

/** Spread into the query shape of a list. Anything is accepted: what is out of range means the default. */
export const pageQueryWithin = ({ fallback, max }: LimitRange) => ({
  limit: Type.Optional(
    Type.Unknown({
      description: `Whole number from 1 to ${max}; anything else means ${fallback}.`,
      documentedAs: {
        anyOf: [{ type: 'integer', minimum: 1, maximum: max }, { type: 'string' }],
        default: fallback,
      },
    }),
  ),
  offset: Type.Optional(
    Type.Unknown({
      description: 'Whole number, 0 or more; anything else means 0.',
      documentedAs: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }], default: 0 },
    }),
  ),
})

export const pageQuery = pageQueryWithin(LIMITS)

export function parsePage(
  query: { readonly limit?: unknown; readonly offset?: unknown },
  { fallback, max } = LIMITS,
): Page {
  const limit = wholeNumber(query.limit)
  return {
    limit: limit !== undefined && limit >= 1 && limit <= max ? limit : fallback,
    offset: Math.min(wholeNumber(query.offset) ?? 0, Number.MAX_SAFE_INTEGER),
  }
}

/** Digits only: other texts that JavaScript's `Number` accepts, such as `1e2` or an empty one, are refused. */
function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
}

/**
 * Of an export. What is missing, different or repeated has an error code of its own, `invalid_format`, so the verb checks
 * it.
 */
export const csvFormat = Type.Optional(
  Type.Unknown({
    documentedAs: { type: 'string', description: 'required: csv', enum: ['csv'], isRequired: true },
  }),
)

/** The reply schema of a list. */
export const listOf = <T extends TSchema>(item: T): TObject<{ data: TArray<T> }> =>
  Type.Object({ data: Type.Array(item) })

export function listReply<T>(page: Page, listed: Listed<T>, toJson: (item: T) => unknown): Reply {
  return {
    json: { data: listed.items.map((item) => toJson(item)) },
    headers: listHeaders({ ...page, total: listed.total }),
  }
}

/** The reply schema of a list that also says in its body where it begins and how long it is. */
export const countedListOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })

export function countedListReply<T>(page: Page, listed: Listed<T>, toJson: (item: T) => unknown): Reply {
  const { total } = listed
  const { limit, offset } = page
  return {
    json: { data: listed.items.map((item) => toJson(item)), total, limit, offset },
    headers: listHeaders({ ...page, total }),
  }
}

/** What `listHeaders` writes, for the API document. */
export const listHeaderSentences = {
  'X-Total-Count': 'Items that match, on all pages.',
  'X-Total-Pages': 'Pages of this size.',
  'X-Page': 'The page of this answer, from 1.',
  'X-Per-Page': 'The limit in effect.',
  'X-Next-Cursor': '`offset=` and where the next page begins; absent on the last one.',
} as const

/** Whether the query is that of a list. */
export const isPaged = (query: TSchema | undefined): boolean => {
  const { properties = {} } = (query ?? {}) as { readonly properties?: object }
  return 'limit' in properties && 'offset' in properties
}

/** Of a CSV export, for the API document. */
export const exportHeaderSentences = {
  'Content-Disposition': 'Says under which name the file is to be kept.',
  'X-Export-Truncated': '`true` when there are more rows than an export holds; absent otherwise.',
} as const

export function listHeaders({
  total,
  limit,
  offset,
}: Page & { readonly total: number }): Record<string, string> {
  const next = offset + limit
  return {
    'x-total-count': String(total),
    'x-total-pages': String(Math.ceil(total / limit)),
    'x-page': String(Math.floor(offset / limit) + 1),
    'x-per-page': String(limit),
    ...(next < total ? { 'x-next-cursor': `offset=${next}` } : {}),
  }
}
