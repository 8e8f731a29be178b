/** Reading JSON of a provider without trusting its form: what is not there, or is something else, is empty. */
export type JsonObject = Readonly<Record<string, unknown>>

export const objectAt = (value: unknown, ...path: readonly string[]): JsonObject => {
  const found = at(value, path)
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : {}
}

export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

/** Numbers and booleans are written as texts. */
export const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, path)
  return typeof found === 'string'
    ? found
    : typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : ''
}

/** `key:value` of an object of texts, by key. */
export const tagsOf = (labels: JsonObject): string[] =>
  Object.entries(labels)
    .filter(([, value]) => typeof value === 'string')
    .map(([key, value]) => (value === '' ? key : `${key}:${String(value)}`))
    .toSorted()

const FACT_LENGTH_MAX = 1_024

/** Facts without those that are empty. */
export const factsOf = (facts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === '' ? [] : [[name, value.replaceAll('\0', '').slice(0, FACT_LENGTH_MAX).toWellFormed()]],
    ),
  )

interface NodeGroup {
  readonly name: string
  readonly size: string
  readonly count: string
}

/** `pool1 (3 of e2-standard-4), pool2 (…)`; empty when there are none or the provider does not tell. */
export const nodeGroups = (groups: readonly NodeGroup[]): string =>
  groups
    .map(({ name, size, count }) => {
      const of = [count, size].filter((it) => it !== '').join(' of ')
      return of === '' ? name : `${name} (${of})`
    })
    .join(', ')

/** What is behind the last slash. */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
