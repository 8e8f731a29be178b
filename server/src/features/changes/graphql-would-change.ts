import {
  execute,
  getNamedType,
  GraphQLError,
  isLeafType,
  parse,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import { wouldChange, type ChangedSubject, type WouldChange } from './would-change.ts'

type Counted = WouldChange['counts'][number]

/** One query for all mutations that say they can be tried: the mutation itself, in a transaction that is undone. */
export function addWouldChange(schema: Schema): void {
  const type = wouldChangeType(schema)
  schema.queryField('wouldChange', (t) =>
    t.field({
      type,
      description:
        'What a mutation would change, given its arguments. It is carried out, with the same permissions, and undone.',
      args: {
        mutation: t.arg.string({ required: true, description: 'Its name, such as mergeAssets.' }),
        with: t.arg({ type: 'JSON', required: true, description: 'Its arguments by name.' }),
      },
      resolve: (_, args, ctx, { schema: whole }) =>
        wouldChange(ctx, (inner) => carryOut(inner, whole, args.mutation, args.with)),
    }),
  )
}

async function carryOut(
  ctx: Ctx,
  schema: GraphQLSchema,
  ...[name, given]: [string, unknown]
): Promise<unknown> {
  const variableValues = argumentsIn(given)
  const document = parse(textOf(schema.getMutationType(), name, variableValues))
  const { data, errors } = await execute({ schema, document, contextValue: ctx, variableValues })
  const [error] = errors ?? []
  if (!error) return data
  // of arguments that do not fit, the cause is an error of GraphQL too
  const { originalError: cause } = error
  throw cause === undefined || cause instanceof GraphQLError ? invalid('with', error.message) : cause
}

function argumentsIn(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('with', 'must be an object of arguments')
  return given as Record<string, unknown>
}

/** Throws 400, which names `mutation` or `with`. */
function textOf(
  type: GraphQLObjectType | null | undefined,
  name: string,
  given: Readonly<Record<string, unknown>>,
): string {
  const fields = type?.getFields() ?? {}
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field?.extensions['canBeTried'] !== true) {
    const known = Object.values(fields).filter((it) => it.extensions['canBeTried'] === true)
    throw invalid('mutation', `must be one of ${known.map((it) => it.name).join(', ')}`)
  }
  const stranger = Object.keys(given).find((it) => !field.args.some((arg) => arg.name === it))
  if (stranger !== undefined) throw invalid('with', `${name} has no argument ${stranger}`)
  const args = field.args.filter((arg) => Object.hasOwn(given, arg.name))
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ')
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'
  return args.length === 0
    ? `mutation { ${name}${selection} }`
    : `mutation (${declared}) { ${name}(${passed})${selection} }`
}

/** The one shape in which every verb answers what it would change. */
function wouldChangeType(schema: Schema): TypeOf<WouldChange> {
  const count = schema.objectRef<Counted>('WouldChangeCount').implement({
    fields: (t) => ({ kind: t.exposeString('kind'), count: t.exposeInt('count') }),
  })
  const subject = schema.objectRef<ChangedSubject>('WouldChangeSubject').implement({
    fields: (t) => ({
      type: t.exposeString('type', {
        description: 'asset, finding, control, source, flow, notice_rule or compliance_check',
      }),
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      becomesTrue: t.field({ type: ['String'], resolve: ({ becomesTrue }) => [...becomesTrue] }),
      becomesFalse: t.field({ type: ['String'], resolve: ({ becomesFalse }) => [...becomesFalse] }),
    }),
  })
  return schema.objectRef<WouldChange>('WouldChange').implement({
    fields: (t) => ({
      total: t.exposeInt('total', { description: 'Assets, findings and controls that would change.' }),
      isWhole: t.exposeBoolean('isWhole', {
        description: 'False: there are too many; the first were tried.',
      }),
      counts: t.field({ type: [count], resolve: ({ counts }) => [...counts] }),
      subjects: t.field({
        type: [subject],
        description: 'The first 50.',
        resolve: ({ subjects }) => [...subjects],
      }),
    }),
  })
}
