import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  concatAST,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  parse,
  print,
  separateOperations,
  typeFromAST,
  type GraphQLInputType,
  type OperationDefinitionNode,
} from 'graphql'
import { expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { BREADTH_MAX, buildSchema, COST_MAX, DEPTH_MAX } from '../src/platform/graphql/schema.ts'

/** More than the app shows on a page anywhere, but for what it loads to sort by itself. */
const ITEMS = 100

const schema = buildSchema(features)
const source = join(import.meta.dirname, '../../web/src')
const operations = Object.entries(
  separateOperations(
    concatAST(
      readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.graphql'))
        .map((path) => parse(readFileSync(join(source, path), 'utf8'))),
    ),
  ),
)

test.each(operations)('%s of the app stays within what a query may cost', (_, document) => {
  const operation = document.definitions.find((it) => it.kind === Kind.OPERATION_DEFINITION)
  const variables = operation ? variablesOf(operation) : {}
  const { complexity, depth, breadth } = complexityFromQuery(print(document), { schema, variables, ctx: {} })
  expect(complexity).toBeGreaterThan(0)
  expect(complexity).toBeLessThanOrEqual(COST_MAX)
  expect(depth).toBeLessThanOrEqual(DEPTH_MAX)
  expect(breadth).toBeLessThanOrEqual(BREADTH_MAX)
})

const variablesOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.map(({ variable, type }) => [
      variable.name.value,
      valueOf(typeFromAST(schema, type as never) as GraphQLInputType),
    ]),
  )

function valueOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType)
  if (isListType(type)) return [valueOf(type.ofType)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter(isRequiredInputField)
        .map((field) => [field.name, valueOf(field.type)]),
    )
  return SCALARS[type.name]
}

const SCALARS: Readonly<Record<string, unknown>> = {
  Int: ITEMS,
  Float: 1,
  String: 'x',
  ID: randomUUID(),
  Boolean: true,
  DateTime: new Date(0).toISOString(),
  JSON: {},
}
