import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export type Schema = Readonly<Record<string, unknown>>

const REFERENCE = /^#\/components\/schemas\//

/** Whether a value is what a schema of the API document allows. */
export function checkOf(schema: Schema, components: Schema): (value: unknown) => boolean {
  const local = (it: Schema): Schema =>
    JSON.parse(JSON.stringify(it), (key, value: unknown) =>
      key === '$ref' ? String(value).replace(REFERENCE, '') : value,
    ) as Schema
  const validator = Compile(local(components) as Record<string, TSchema>, local(schema))
  return (value) => validator.Check(value)
}

const text = fc.string({ unit: 'grapheme' })
const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const FLOW_DEFINITION = { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] }
const anything = fc.jsonValue({ maxDepth: 3 })

/** Values that a schema of the API document allows, as far as its keywords are known here; to be checked once more. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, type, anyOf, enum: options, const: only, items } = schema
  if ($ref !== undefined) return anything
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(options)) return fc.constantFrom(...(options as unknown[]))
  if (schema['format'] === 'flow-definition') return fc.constant(FLOW_DEFINITION)
  // only that of the content is right; left out
  if (schema['format'] === 'digest') return fc.constant(undefined)
  if (type === 'object') return objectsOf(schema)
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map(valuesOf))
  if (type === 'array') return fc.array(valuesOf((items ?? {}) as Schema), { maxLength: 4 })
  if (type === 'string') return textsOf(schema)
  if (type === 'integer') {
    const { minimum = -1_000_000, maximum = 1_000_000 } = schema as { minimum?: number; maximum?: number }
    return fc.integer({ min: minimum, max: maximum })
  }
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true })
  if (type === 'boolean') return fc.boolean()
  return anything
}

function textsOf({
  format,
  pattern,
  maxLength,
}: {
  format?: string
  pattern?: string
  maxLength?: number
}): fc.Arbitrary<string> {
  if (maxLength === 0) return fc.constant('')
  if (format === 'uuid') return fc.uuid()
  if (format === 'ipv4') return fc.ipV4()
  if (format === 'ipv6') return fc.ipV6()
  if (format === 'date') return days.map((it) => it.toISOString().slice(0, 10))
  if (format === 'date-time') return days.map((it) => it.toISOString())
  if (format === 'condition') return fc.constantFrom('', 'web', '"two words" or not (web and 10.0.0.0/8)')
  if (pattern === undefined || pattern.startsWith('^[^')) return text
  return fc.stringMatching(new RegExp(pattern))
}

/** Of the alternatives that an object may have beside its properties, one is filled in. */
function objectsOf({ properties = {}, required = [], anyOf = [{}] }: Schema): fc.Arbitrary<unknown> {
  const branches = (anyOf as Schema[]).map((branch) => {
    const parts = { ...(properties as object), ...(branch['properties'] as object | undefined) }
    const needed = [...(required as string[]), ...((branch['required'] ?? []) as string[])]
    const whole = Object.entries(parts as Record<string, Schema>).map(([name, part]) => {
      const base = (properties as Record<string, Schema>)[name]
      return [name, valuesOf({ ...base, ...part })] as const
    })
    return fc.record(Object.fromEntries(whole), { requiredKeys: needed })
  })
  const known = fc.oneof(...branches)
  return fc
    .tuple(known, fc.dictionary(text, anything, { maxKeys: 2 }))
    .map(([a, b]) => ({ ...b, ...(a as object) }))
}

/** Values of which most are none that the schema allows: others altogether, or nearly right ones. */
export function strangeValuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys((schema['properties'] ?? {}) as object)
  const name = names.length > 0 ? fc.constantFrom(...names) : text
  const change = fc.oneof(
    name.map((it) => (value: Changed) => void delete value[it]),
    fc.tuple(name, anything).map(
      ([it, other]) =>
        (value: Changed) =>
          void (value[it] = other),
    ),
    fc.tuple(name, text).map(
      ([it, before]) =>
        (value: Changed) =>
          void (value[it] = `${before}\0`),
    ),
    text.map((it) => (value: Changed) => void (value[`${it}\0`] = 1)),
  )
  const nearly = fc.tuple(valuesOf(schema), change).map(([value, act]) => {
    const copy = structuredClone(value)
    if (typeof copy === 'object' && copy !== null) act(copy as Changed)
    return copy
  })
  return fc.oneof({ weight: 4, arbitrary: nearly }, { weight: 1, arbitrary: anything })
}

type Changed = Record<string, unknown>
