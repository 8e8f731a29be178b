import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

const SCALARS: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  DateTime: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  JSON: 'unknown',
}

/** The types an operation needs by name: its answer and its variables. */
export function operationTypes(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): string {
  const name = operation.name?.value
  if (!name) throw new Error('every operation has a name')
  const root = schema.getRootType(operation.operation)
  if (!root) throw new Error(`the schema has no ${operation.operation}`)
  const variables = (operation.variableDefinitions ?? []).map((it) => {
    const type = typeFromAST(schema, it.type as never) as GraphQLType | undefined
    if (!type) throw new Error(`unknown type of $${it.variable.name.value} in ${name}`)
    const optional = !isNonNullType(type) || it.defaultValue ? '?' : ''
    return `readonly ${it.variable.name.value}${optional}: ${inputType(type)}`
  })
  return [
    `export interface ${name}Data ${shape(root, operation.selectionSet, fragments)}`,
    `export type ${name}Variables = ${variables.length > 0 ? `{ ${variables.join('; ')} }` : 'Record<string, never>'}`,
  ].join('\n')
}

/** What a component takes that shows one fragment. */
export function fragmentType(
  schema: GraphQLSchema,
  fragment: FragmentDefinitionNode,
  fragments: Fragments,
): string {
  const type = schema.getType(fragment.typeCondition.name.value)
  if (!isObjectType(type)) throw new Error(`fragment ${fragment.name.value} is not on an object type`)
  return `export interface ${fragment.name.value} ${shape(type, fragment.selectionSet, fragments)}\n`
}

export function enumsAndInputs(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  const enums = types.filter(isEnumType).map((type) => {
    const values = type.getValues().map(({ name }) => `'${name}'`)
    return `export type ${type.name} = ${values.join(' | ')}`
  })
  const inputs = types.filter(isInputObjectType).map((type) => {
    const fields = Object.values(type.getFields()).map(
      (field) =>
        `  readonly ${field.name}${isNonNullType(field.type) ? '' : '?'}: ${inputType(field.type)}\n`,
    )
    return `export interface ${type.name} {\n${fields.join('')}}`
  })
  return [...enums, ...inputs, ''].join('\n')
}

/** In the order they are first used. */
export function reachableFragments(
  start: OperationDefinitionNode,
  fragments: Fragments,
): FragmentDefinitionNode[] {
  const found = new Set<FragmentDefinitionNode>()
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const it of selections) {
      if (it.kind !== Kind.FRAGMENT_SPREAD) {
        if (it.selectionSet) walk(it.selectionSet)
        continue
      }
      const fragment = fragments.get(it.name.value)
      if (!fragment || found.has(fragment)) continue
      found.add(fragment)
      walk(fragment.selectionSet)
    }
  }
  walk(start.selectionSet)
  return [...found]
}

function shape(type: GraphQLObjectType, set: SelectionSetNode, fragments: Fragments): string {
  const fields = new Map<string, string>()
  const add = ({ selections }: SelectionSetNode): void => {
    for (const it of selections) {
      if (it.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(it.name.value)
        if (fragment) add(fragment.selectionSet)
      } else if (it.kind === Kind.INLINE_FRAGMENT) {
        add(it.selectionSet)
      } else {
        const field = type.getFields()[it.name.value]
        if (!field) throw new Error(`${type.name} has no ${it.name.value}`)
        // @include and @skip
        const mayLack = (it.directives ?? []).length > 0 ? '?' : ''
        const name = (it.alias ?? it.name).value + mayLack
        fields.set(name, outputType(field.type, it.selectionSet, fragments))
      }
    }
  }
  add(set)
  return `{ ${[...fields].map(([name, text]) => `readonly ${name}: ${text}`).join('; ')} }`
}

function outputType(type: GraphQLType, set: SelectionSetNode | undefined, fragments: Fragments): string {
  if (isNonNullType(type)) return outputType(type.ofType, set, fragments).replace(/ \| null$/, '')
  if (isListType(type)) return `readonly (${outputType(type.ofType, set, fragments)})[] | null`
  const named = getNamedType(type)
  const text = isObjectType(named) && set ? shape(named, set, fragments) : leaf(named)
  return text === 'unknown' ? text : `${text} | null`
}

function inputType(type: GraphQLType): string {
  if (isNonNullType(type)) return inputType(type.ofType).replace(/ \| null$/, '')
  if (isListType(type)) return `readonly (${inputType(type.ofType)})[] | null`
  const text = leaf(getNamedType(type))
  return text === 'unknown' ? text : `${text} | null`
}

const leaf = (type: { readonly name: string }): string => SCALARS[type.name] ?? type.name
