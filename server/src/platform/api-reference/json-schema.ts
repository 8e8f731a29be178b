/** JSON Schema as people read it. */
export interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly description?: string
}

export interface Line {
  /** With its place: `data[].id`. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

/** One line per value that a schema describes, objects before their properties. */
export function linesOf(schema: JsonSchema, place = ''): Line[] {
  const inner = schema.items ? linesOf(schema.items, `${place}[]`) : []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const whole = place === '' ? name : `${place}.${name}`
    const isRequired = schema.required?.includes(name) ?? false
    const line = { name: whole, type: typeOf(part), isRequired, description: part.description ?? '' }
    return [line, ...linesOf(part, whole)]
  })
  return [...own, ...inner]
}

export function typeOf(schema: JsonSchema): string {
  const values = schema.enum ?? literals(schema.anyOf)
  if (values) return values.map((it) => JSON.stringify(it)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.items) return `array of ${typeOf(schema.items)}`
  return [schema.type ?? 'any', schema.format && `(${schema.format})`].filter(Boolean).join(' ')
}

function literals(options: readonly JsonSchema[] | undefined): unknown[] | undefined {
  if (!options?.every((it) => it.const !== undefined)) return undefined
  return options.map((it) => it.const)
}
