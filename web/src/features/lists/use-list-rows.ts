import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Operation } from '#api/client.ts'
import { q } from '#api/query-client.ts'
import { conditionOf } from '#features/conditions/meant-by.ts'
import type { ListSearch } from './list-search.ts'

/** Rows in one request. */
const PAGE = 100
/** Ids in one request, and in one range. */
const IDS = 500
const IDS_MAX = 10_000

interface Paging {
  readonly first: number
  readonly offset: number
}

export interface PageVariables extends Paging {
  readonly where: string
  /** Null: as the server has it. */
  readonly sort: string | null
}

export interface Rows<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

/** How a list is asked for: its operation, and where its rows are in the answer. */
export interface RowSource<Data, Row, Variables extends Paging = PageVariables> {
  readonly operation: Operation<Data, Variables>
  readonly rowsIn: (data: Data) => Rows<Row>
}

export interface ListRows<Row> {
  readonly total: number | undefined
  readonly rowAt: (index: number) => Row | undefined
  readonly onDrawn: (first: number, end: number) => void
  readonly idsBetween: (first: number, last: number) => Promise<readonly string[]>
  readonly loaded: readonly Row[]
  /** Of a row that is loaded; else -1. */
  readonly indexOf: (id: string) => number
  readonly error: unknown
  readonly retry: () => void
}

/** The rows of a list by index, loaded in pages as they are scrolled into view. */
export function useListRows<Data, Row extends { readonly id: string }>(
  search: ListSearch,
  source: RowSource<Data, Row>,
): ListRows<Row> {
  const asked = useMemo(() => variablesOf(search), [search])
  return useRowsOf<Data, Row, PageVariables>(asked, source)
}

/** As `useListRows`, of an operation that is asked in its own words. */
export function useRowsOf<Data, Row extends { readonly id: string }, Variables extends Paging>(
  question: Omit<Variables, keyof Paging>,
  { operation, rowsIn }: RowSource<Data, Row, Variables>,
): ListRows<Row> {
  const [range, setRange] = useState({ first: 0, end: 1 })
  const client = useQueryClient()
  const pageOf = (first: number, offset: number) =>
    q(operation, { ...question, first, offset } as unknown as Variables)
  const from = Math.floor(range.first / PAGE)
  const to = Math.floor(Math.max(range.first, range.end - 1) / PAGE)
  const pages = Array.from({ length: to - from + 1 }, (_, n) => from + n)
  const answers = useQueries({
    queries: pages.map((at) => pageOf(PAGE, at * PAGE)),
  })
  const loaded = answers.map(({ data }) => (data ? rowsIn(data).items : []))
  const told = answers.flatMap(({ data }) => (data ? rowsIn(data).total : []))[0]
  const failed = answers.find(({ error }) => error)
  return {
    total: usePrevious(told),
    rowAt: (index) => loaded[Math.floor(index / PAGE) - from]?.[index % PAGE],
    onDrawn: useCallback((first: number, end: number) => setRange({ first, end }), []),
    idsBetween: async (first, last) => {
      const wanted = Math.min(last - first + 1, IDS_MAX)
      const offsets = Array.from({ length: Math.ceil(wanted / IDS) }, (_, at) => at * IDS)
      const answered = offsets.map((at) => client.fetchQuery(pageOf(Math.min(IDS, wanted - at), first + at)))
      return (await Promise.all(answered)).flatMap((data) => rowsIn(data).items.map(({ id }) => id))
    },
    loaded: loaded.flat(),
    indexOf: (id) => indexIn(loaded, id, from),
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

function indexIn(pages: readonly (readonly { readonly id: string }[])[], id: string, from: number): number {
  const page = pages.findIndex((items) => items.some((it) => it.id === id))
  return page < 0 ? -1 : (from + page) * PAGE + (pages[page]?.findIndex((it) => it.id === id) ?? 0)
}

/** As the server takes it: words are part of the condition. */
export function variablesOf({ search = '', where = '', sort, direction }: ListSearch) {
  return {
    where: conditionOf({ where, text: search }),
    sort: sort === undefined ? null : `${direction === 'desc' ? '-' : ''}${sort}`,
  }
}

/** Returns the previous value while the new one loads, so that the list does not jump. */
export function usePrevious(value: number | undefined): number | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
