import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema as readSchema,
  isEnumType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  print,
  printType,
  visit,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'
import { features } from '../../../src/app.ts'
import { buildSchema, type GraphqlDoor } from '../../../src/platform/graphql/schema.ts'

const PROMISED = readSchema(readFileSync(join(import.meta.dirname, '../../../schema.graphql'), 'utf8'))

/**
 * What one feature adds to the schema beside what schema.graphql promises of it: which arguments must be given, what may be
 * null, what is taken where nothing is given. What describes it may be worded otherwise.
 */
export function offeredAndPromised(door: GraphqlDoor): {
  readonly offered: readonly string[]
  readonly promised: readonly string[]
} {
  const schema = buildSchema([{ graphql: door, subjects }])
  const all = buildSchema(features)
  const types = Object.values(schema.getTypeMap()).filter(
    (it) => !it.name.startsWith('__') && !isSpecifiedScalarType(it),
  )
  return {
    offered: types.map((type) => textOf(type, type)),
    promised: [...types.map((type) => textOf(PROMISED.getType(type.name), type)), ...nowhereIn(all)],
  }
}

/** Queries and mutations that are promised and no feature has: among them those that this one lost. */
const nowhereIn = (schema: GraphQLSchema): string[] =>
  [
    [PROMISED.getQueryType(), schema.getQueryType()],
    [PROMISED.getMutationType(), schema.getMutationType()],
  ].flatMap(([promised, offered]) => {
    const there = offered?.getFields() ?? {}
    return Object.keys(promised?.getFields() ?? {}).flatMap((name) =>
      name in there ? [] : [`${name} is nowhere`],
    )
  })

const subjectType = PROMISED.getType('ConditionSubject')
const subjects = Object.fromEntries(
  isEnumType(subjectType) ? subjectType.getValues().map(({ name }) => [name, '']) : [],
)

/** Queries and mutations are of all features: of these only the fields that one has. */
function textOf(type: GraphQLNamedType | undefined, own: GraphQLNamedType): string {
  const { name } = own
  if (!type) return `${name} is not there`
  const isRoot = name === 'Query' || name === 'Mutation'
  const fields = isRoot && isObjectType(own) ? own.getFields() : undefined
  const document = visit(parse(printType(type), { noLocation: true }), {
    StringValue: (_, key) => (key === 'description' ? null : undefined),
    FieldDefinition: (node) => (fields && !(node.name.value in fields) ? null : undefined),
  })
  return print(document)
}
