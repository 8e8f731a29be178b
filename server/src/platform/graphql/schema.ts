import SchemaBuilder, { type EnumRef, type FieldRef, type ObjectRef } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import { GraphQLScalarType, Kind, type GraphQLSchema } from 'graphql'
import type { Ctx } from '../context.ts'
import { invalid, Refusal } from '../errors.ts'
import type { Listed, Page } from '../http/paging.ts'
import { isInstant } from '../validation/calendar-date.ts'

export interface Kinds {
  Context: Ctx
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
  }
}
type AllKinds = PothosSchemaTypes.ExtendDefaultTypes<Kinds>

/** What features add their types, queries and mutations to. */
export type Schema = PothosSchemaTypes.SchemaBuilder<AllKinds>
export type TypeOf<T> = ObjectRef<AllKinds, T>
export type EnumOf<T> = EnumRef<AllKinds, T>
export type FieldMaker<T> = PothosSchemaTypes.ObjectFieldBuilder<AllKinds, T>
export type Field = FieldRef<AllKinds>

/** As NetBox counts it: the fields inside fields. */
export const DEPTH_MAX = 10
/** One for each field of each item that a list may have at most. */
export const COST_MAX = 20_000
/** How many items a list that is not paged is taken to have. */
const ITEMS_EXPECTED = 10
export const BREADTH_MAX = 250

/** What all features bring together, for types that name it. */
export interface WholeApp {
  /** The names of all subjects of conditions. */
  readonly subjects: readonly string[]
}

export type GraphqlDoor = (schema: Schema, app: WholeApp) => void

interface WithDoor {
  readonly graphql?: GraphqlDoor
  readonly subjects?: Readonly<Record<string, string>>
}

/** The GraphQL schema; each feature's `graphql.ts` adds its types and fields, in the order of `app.ts`. */
export function buildSchema(features: readonly WithDoor[]): GraphQLSchema {
  const schema: Schema = new SchemaBuilder<Kinds>({
    plugins: [ComplexityPlugin],
    defaultFieldNullability: false,
    complexity: {
      defaultListMultiplier: ITEMS_EXPECTED,
      limit: { complexity: COST_MAX, depth: DEPTH_MAX, breadth: BREADTH_MAX },
      complexityError: (kind) => tooComplex(`the query asks for too much at once (${kind.toLowerCase()})`),
    },
  })
  schema.queryType()
  schema.mutationType()
  schema.addScalarType('DateTime', dateTime)
  schema.addScalarType('JSON', json)
  const app = { subjects: features.flatMap((it) => Object.keys(it.subjects ?? {})) }
  for (const { graphql } of features) graphql?.(schema, app)
  return schema.toSchema()
}

export const tooComplex = (why: string): Refusal => new Refusal(400, 'query_too_complex', why)

const FIRST_DEFAULT = 50
const FIRST_MAX = 500

type WholeNumber = PothosSchemaTypes.ArgumentRef<AllKinds, number>

/** The arguments of every list that is paged. */
export function pageArgs(schema: Schema): {
  first: WholeNumber
  offset: WholeNumber
} {
  return schema.args((t) => ({
    first: t.int({ required: true, defaultValue: FIRST_DEFAULT, description: `1 to ${FIRST_MAX}` }),
    offset: t.int({ required: true, defaultValue: 0 }),
  }))
}

/** The arguments of a list whose things conditions can be asked about. */
export function listArgs(schema: Schema) {
  return {
    ...schema.args((t) => ({
      where: t.string({ description: 'A condition (docs/conditions.md); unknown is left out.' }),
      sort: t.string({
        description:
          'A field of conditions that the list is ordered by; with `-` before it the greatest first.',
      }),
    })),
    ...pageArgs(schema),
  }
}

export function pageFrom({ first, offset }: { readonly first: number; readonly offset: number }): Page {
  if (first < 1 || first > FIRST_MAX) throw invalid('first', `must be 1 to ${FIRST_MAX}`)
  if (offset < 0) throw invalid('offset', 'must be 0 or more')
  return { limit: first, offset }
}

/** What a paged list costs: each of its items. */
export const perItem = ({ first }: { readonly first: number }): { field: number; multiplier: number } => ({
  field: 1,
  multiplier: Math.min(Math.max(first, 1), FIRST_MAX),
})

/** The type of one page of a list: its items, and how many there are in all. */
export function pageType<T>(schema: Schema, name: string, item: TypeOf<T>): TypeOf<Listed<T>> {
  return schema.objectRef<Listed<T>>(name).implement({
    fields: (t) => ({
      items: t.field({
        type: [item],
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ items }) => items as never,
      }),
      total: t.exposeInt('total'),
    }),
  })
}

/** For mutations that may be carried out in a transaction that is undone: they use nothing but the database. */
export const canBeTried = { extensions: { canBeTried: true } } as const

/** GraphQL knows null, verbs know absent. */
export function given<T extends object>(args: T): { [K in keyof T]: Exclude<T[K], null | undefined> } {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined),
  ) as never
}

const dateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'An instant, RFC 3339.',
  coerceOutputValue: String,
  coerceInputValue: toInstant,
  coerceInputLiteral: (node) => toInstant(node.kind === Kind.STRING ? node.value : undefined),
})

function toInstant(value: unknown): string {
  if (typeof value !== 'string' || !isInstant(value))
    throw new TypeError('must be an instant, like 2026-03-31T12:00:00Z')
  return value
}

const json = new GraphQLScalarType<unknown, unknown>({ name: 'JSON', description: 'Any JSON value.' })
