import type { Direction } from '#api/generated/enums-and-inputs.ts'

/** The search parameters of every list: what it is narrowed by, in which order it stands, and how it looks. */
export interface ListSearch {
  /** Words to search for. */
  readonly search?: string | undefined
  /** A condition. */
  readonly where?: string | undefined
  /** The field that it is ordered by. */
  readonly sort?: string | undefined
  readonly direction?: Direction | undefined
  /** The field whose values are counted in place of the rows. */
  readonly group?: string | undefined
  /** Of a view: its columns with their order and widths (`column-layout.ts`). */
  readonly columns?: string | undefined
}

const FIELD = /^[a-z][\w.]{0,80}$/i

/** What is not understood is left out. */
export function readListSearch(raw: Record<string, unknown>): ListSearch {
  const fieldIn = (key: string) => [textOf(raw[key])].find((it) => it && FIELD.test(it))
  return withoutAbsent({
    search: textOf(raw['search']) ?? textOf(raw['text']),
    where: textOf(raw['where']),
    sort: fieldIn('sort'),
    direction: (['asc', 'desc'] as const).find((it) => it === raw['direction']),
    group: fieldIn('group'),
    columns: textOf(raw['columns']),
  })
}

const OWN: ReadonlySet<string> = new Set([
  'search',
  'where',
  'sort',
  'direction',
  'group',
  'columns',
  'source',
])

/** Without page, preview, and filters of earlier versions, which are part of the condition once they are read. */
export const ofList = (search: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).filter(([key]) => OWN.has(key)))

export const withoutAbsent = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T

/** Whether it narrows the list: an order and columns do not. */
export const isNarrowed = ({
  sort: _sort,
  direction: _direction,
  columns: _columns,
  group: _group,
  ...filter
}: ListSearch): boolean => Object.values(filter).some((it) => it !== undefined)

export const isSameSearch = (a: ListSearch, b: ListSearch): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof ListSearch>
  return [...keys].every((key) => a[key] === b[key])
}

export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}
