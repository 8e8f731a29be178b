export type Json = Readonly<Record<string, unknown>>

/** On which side a schema stands: what a client sends may only be taken more widely, what it gets only more narrowly. */
export type Side = 'request' | 'response'

export interface Comparison {
  readonly side: Side
  /** Schemas that `$ref` names, before and after. */
  readonly before: Json
  readonly after: Json
}

/** How a schema breaks clients of the one before: one line for each fault, beginning with the place. */
export function compareSchemas(before: Json, after: Json, comparison: Comparison, at: string): string[] {
  const isRequest = comparison.side === 'request'
  const [inner, outer] = isRequest ? [before, after] : [after, before]
  const names = {
    inner: isRequest ? comparison.before : comparison.after,
    outer: isRequest ? comparison.after : comparison.before,
  }
  return faultsOf({ inner, outer, at }, { ...names, side: comparison.side, seen: new Set() })
}

interface Pair {
  /** Each of its values must be a value of `outer`. */
  readonly inner: Json
  readonly outer: Json
  readonly at: string
}

interface Names {
  readonly inner: Json
  readonly outer: Json
  readonly side: Side
  /** Pairs of references on the way: schemas may contain themselves. */
  readonly seen: ReadonlySet<string>
}

/** What says nothing about values. */
const ANNOTATIONS = new Set(['description', 'title', 'default', 'examples', 'deprecated', '$id', '$schema'])
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const EXACT = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'propertyNames']
const KNOWN = new Set([
  ...ANNOTATIONS,
  ...LOWER,
  ...UPPER,
  ...EXACT,
  '$ref',
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
])

function faultsOf(pair: Pair, names: Names): string[] {
  const { inner, outer, at } = pair
  if (isSame(inner, outer) && isSame(names.inner, names.outer)) return []
  if (inner['$ref'] !== undefined || outer['$ref'] !== undefined) return faultsOfReferences(pair, names)
  const branches = inner['anyOf'] as Json[] | undefined
  if (branches) return branches.flatMap((it) => faultsOf({ inner: it, outer, at }, names))
  const choices = outer['anyOf'] as Json[] | undefined
  if (choices) {
    const fits = choices.some((it) => faultsOf({ inner, outer: it, at }, names).length === 0)
    return fits ? [] : [`${at}: ${told(inner)} is none of the alternatives`]
  }
  return [
    ...faultsOfValues(pair),
    ...faultsOfBounds(pair),
    ...faultsOfObjects(pair, names),
    ...faultsOfItems(pair, names),
    ...faultsOfUnknown(pair),
  ]
}

function faultsOfReferences({ inner, outer, at }: Pair, names: Names): string[] {
  const key = `${String(inner['$ref'])} ${String(outer['$ref'])}`
  if (names.seen.has(key)) return []
  const seen = new Set([...names.seen, key])
  return faultsOf(
    { inner: resolved(inner, names.inner), outer: resolved(outer, names.outer), at },
    { ...names, seen },
  )
}

function resolved(schema: Json, components: Json): Json {
  const { $ref, ...beside } = schema
  if ($ref === undefined) return schema
  const name = ($ref as string).split('/').at(-1) ?? ''
  return { ...(components[name] as Json), ...beside }
}

const valuesIn = ({ const: only, enum: options }: Json): readonly unknown[] | undefined =>
  only === undefined ? (options as unknown[] | undefined) : [only]

function typesIn(schema: Json): readonly string[] | undefined {
  const { type } = schema
  if (type !== undefined) return Array.isArray(type) ? (type as string[]) : [type as string]
  return valuesIn(schema)?.map((value) => (value === null ? 'null' : typeof value))
}

/** Types, constants and enumerations. */
function faultsOfValues({ inner, outer, at }: Pair): string[] {
  const [values, allowed] = [valuesIn(inner), valuesIn(outer)]
  if (allowed) {
    const beyond = values?.filter((value) => !allowed.includes(value))
    if (!beyond) return [`${at}: any value instead of ${allowed.join(', ')}`]
    if (beyond.length > 0) return [`${at}: ${beyond.join(', ')} is not one of ${allowed.join(', ')}`]
  }
  const [types, wide] = [typesIn(inner), typesIn(outer)]
  if (!wide) return []
  if (!types) return [`${at}: any type instead of ${wide.join(', ')}`]
  const other = types.filter((it) => !wide.includes(it) && !(it === 'integer' && wide.includes('number')))
  return other.length > 0 ? [`${at}: type ${other.join(', ')} instead of ${wide.join(', ')}`] : []
}

function faultsOfBounds({ inner, outer, at }: Pair): string[] {
  if (valuesIn(inner)) return []
  const isLoose = (key: string, sign: 1 | -1) =>
    outer[key] !== undefined &&
    (inner[key] === undefined || sign * (inner[key] as number) < sign * (outer[key] as number))
  return [
    ...LOWER.filter((key) => isLoose(key, 1)),
    ...UPPER.filter((key) => isLoose(key, -1)),
    ...EXACT.filter((key) => outer[key] !== undefined && !isSame(inner[key], outer[key])),
  ].map((key) => `${at}: ${key} ${told(inner[key])} does not keep to ${told(outer[key])}`)
}

function faultsOfObjects({ inner, outer, at }: Pair, names: Names): string[] {
  const [mine, theirs] = [inner, outer].map((it) => (it['properties'] ?? {}) as Record<string, Json>)
  const [has, needs] = [inner, outer].map((it) => (it['required'] ?? []) as string[])
  const [before, after] = names.side === 'request' ? [mine, theirs] : [theirs, mine]
  const removed = Object.keys(before ?? {}).filter((name) => !(name in (after ?? {})))
  const missing = (needs ?? []).filter((name) => !has?.includes(name) && !removed.includes(name))
  const shared = Object.keys(mine ?? {}).filter((name) => name in (theirs ?? {}))
  return [
    ...removed.map((name) => `${at}.${name}: removed`),
    ...missing.map((name) => `${at}.${name}: ${names.side === 'request' ? 'required' : 'not always there'}`),
    ...shared.flatMap((name) =>
      faultsOf({ inner: mine?.[name] ?? {}, outer: theirs?.[name] ?? {}, at: `${at}.${name}` }, names),
    ),
    ...faultsOfOthers({ inner, outer, at }, names),
  ]
}

/** Properties that no schema names. A response may have more of them: clients ignore what they do not know. */
function faultsOfOthers({ inner, outer, at }: Pair, names: Names): string[] {
  const [mine, theirs] = [inner['additionalProperties'], outer['additionalProperties']]
  if (theirs === undefined || theirs === true || isSame(mine, theirs)) return []
  if (theirs === false)
    return names.side === 'response' || mine === false ? [] : [`${at}: other properties are refused`]
  if (mine === false) return []
  if (typeof mine !== 'object') return [`${at}: any other property instead of ${told(theirs)}`]
  return faultsOf({ inner: mine as Json, outer: theirs as Json, at: `${at}.*` }, names)
}

function faultsOfItems({ inner, outer, at }: Pair, names: Names): string[] {
  const [mine, theirs] = [inner['items'], outer['items']] as [Json | undefined, Json | undefined]
  if (!theirs) return []
  return mine
    ? faultsOf({ inner: mine, outer: theirs, at: `${at}[]` }, names)
    : [`${at}[]: any item instead of ${told(theirs)}`]
}

/** A keyword that is not compared here must not change. */
function faultsOfUnknown({ inner, outer, at }: Pair): string[] {
  const keys = new Set([...Object.keys(inner), ...Object.keys(outer)])
  return [...keys]
    .filter((key) => !KNOWN.has(key) && !isSame(inner[key], outer[key]))
    .map((key) => `${at}: ${key} changed`)
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const told = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? 'nothing'
