import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'

export interface DeprecatedField {
  /** Such as `Asset.owner`, `Query.assets(first:)` or `AssetType.PRINTER`. */
  readonly place: string
  /** As `@deprecated` has it. */
  readonly reason: string
}

/** Everything of the schema that is deprecated: fields, arguments, input fields and values of enumerations. */
export const deprecatedFields = (schema: GraphQLSchema): DeprecatedField[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => partsOf(type))
    .flatMap(({ place, deprecationReason: reason }) => (reason ? [{ place, reason }] : []))

interface Part {
  readonly place: string
  readonly deprecationReason?: string | null | undefined
}

function partsOf(type: GraphQLNamedType): Part[] {
  const within = ({
    name,
    deprecationReason,
  }: {
    name: string
    deprecationReason?: string | null | undefined
  }) => ({
    place: `${type.name}.${name}`,
    deprecationReason,
  })
  if (isEnumType(type)) return type.getValues().map(within)
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(within)
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => [
    within(field),
    ...field.args.map(({ name, deprecationReason }) => ({
      place: `${type.name}.${field.name}(${name}:)`,
      deprecationReason,
    })),
  ])
}
