export interface ChangedValue {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The changed values in the details of an entry, by name; empty when it has none. */
export function changesIn(details: unknown): readonly ChangedValue[] {
  const { before, after } = asRecord(details)
  if (before === undefined && after === undefined) return []
  const [was, is] = [asRecord(before), asRecord(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .map((name) => ({ name, before: textOf(was[name]), after: textOf(is[name]) }))
    .filter((it) => it.before !== it.after)
}

interface NamedSubject {
  readonly id: string
  readonly name: string | undefined
}

/** The subjects of a bulk action. */
export function subjectsIn(details: unknown): readonly NamedSubject[] {
  const { subjects } = asRecord(details)
  if (!Array.isArray(subjects)) return []
  return subjects.map(asRecord).map(({ id, name }) => ({
    id: String(id),
    name: typeof name === 'string' && name !== '' ? name : undefined,
  }))
}

/** The details that name a subject, in order of preference. */
const NAMES = ['name', 'email', 'slug', 'cveId', 'url', 'target', 'file', 'address'] as const

/** The name of the entry's subject; undefined when the details have none. */
export function nameIn(details: unknown): string | undefined {
  const all = asRecord(details)
  const places = [all, asRecord(all['after']), asRecord(all['before'])]
  for (const place of places)
    for (const key of NAMES) if (typeof place[key] === 'string' && place[key] !== '') return place[key]
  return undefined
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
