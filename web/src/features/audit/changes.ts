export interface ChangedValue {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** What an entry says was so before and after, by name; empty when it tells no such thing. */
export function changesIn(details: unknown): readonly ChangedValue[] {
  const { before, after } = asRecord(details)
  if (before === undefined && after === undefined) return []
  const [was, is] = [asRecord(before), asRecord(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .map((name) => ({ name, before: textOf(was[name]), after: textOf(is[name]) }))
    .filter((it) => it.before !== it.after)
}

/** How people call what the entry is about; undefined when it does not say. */
export function nameIn(details: unknown): string | undefined {
  const all = asRecord(details)
  const places = [all, asRecord(all['after']), asRecord(all['before'])]
  for (const place of places)
    for (const key of ['name', 'email', 'slug'])
      if (typeof place[key] === 'string' && place[key] !== '') return place[key]
  return undefined
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
