import type { ListQuery } from './subject-page.ts'
import { LENGTH_MAX } from '../parse.ts'
import { fromReplica, type Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { csvRow } from '../../formats/csv.ts'
import type { Listed, Page } from '../../http/paging.ts'
import type { FileInput, FileRoute } from '../../http/uploads.ts'

const ROWS_MAX = 10_000
const SORT_LENGTH_MAX = 100

type Cell = string | number | boolean | null | readonly string[]

export interface ListFile<Row, Column extends keyof Row & string> {
  /** Such as `findings.csv`. */
  readonly name: string
  readonly list: (ctx: Ctx, page: Page, query: ListQuery) => Promise<Listed<Row>>
  readonly columns: readonly Column[]
}

/**
 * A list of the app as a CSV file: all for which `where` holds, in the order of `sort`, at most 10,000; a header says
 * when there are more.
 */
export function listFile<Column extends string, Row extends Readonly<Record<Column, Cell>>>({
  name,
  list,
  columns,
}: ListFile<Row, Column & keyof Row>): FileRoute {
  return {
    method: 'GET',
    path: `/${name}`,
    handle: async (ctx, { query }) => {
      const asked = queryOf(query)
      const page = { limit: ROWS_MAX, offset: 0 }
      const { items, total } = await fromReplica(ctx, (there) => list(there, page, asked))
      const lines = items.map((row) => csvRow(columns.map((column) => textOf(row[column]))))
      return {
        file: { mediaType: 'text/csv', content: csvRow(columns) + lines.join('') },
        headers: {
          'content-disposition': `attachment; filename="${name}"`,
          ...(total > items.length && { 'x-export-truncated': 'true' }),
        },
      }
    },
  }
}

function queryOf(given: FileInput['query']): ListQuery {
  const lengths: Readonly<Record<string, number>> = { where: LENGTH_MAX, sort: SORT_LENGTH_MAX }
  for (const [name, value] of Object.entries(given)) {
    const most = Object.hasOwn(lengths, name) ? lengths[name] : undefined
    if (most === undefined) throw invalid(name, 'is not a known parameter')
    if (typeof value !== 'string' || value.length > most)
      throw invalid(name, `must be given once, with at most ${most} characters`)
  }
  return { where: given['where'] || undefined, sort: given['sort'] || undefined }
}

function textOf(cell: Cell): string | number {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.join(';')
  return typeof cell === 'boolean' ? String(cell) : cell
}
