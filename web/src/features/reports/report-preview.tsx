import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/errors.ts'
import type { ReportTableInput, ReportType } from '#api/generated/enums-and-inputs.ts'
import { ReportPreviewDocument, type ReportPreviewData } from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { inWords } from '#lib/in-words.ts'
import { count, plural } from '#lib/numbers.ts'
import { typeTitles } from './report.ts'
import styles from './report-preview.module.css'

interface ReportPreviewProps {
  /** Empty: it has none yet. */
  readonly name: string
  readonly type: ReportType
  readonly period: string
  /** A condition; empty: all assets, or the chosen ones. */
  readonly where: string
  readonly assetIds: readonly string[] | undefined
  readonly table: ReportTableInput | null
}

const WAIT_MS = 400
const ROWS = 6
/** Reports are written in English, whatever language the app is in. */
const DOCUMENT_LANGUAGE = 'en'

/** How the report would begin now: what its first page says, and the first rows. */
export function ReportPreview({ name, type, period, where, assetIds, table }: ReportPreviewProps) {
  const [waited] = useDebouncedValue(period, WAIT_MS)
  const [asked] = useDebouncedValue(where, WAIT_MS)
  const [chosen] = useDebouncedValue(table, WAIT_MS)
  const { data, error, isFetching } = useQuery({
    ...q(ReportPreviewDocument, {
      type,
      assetIds: assetIds ? [...assetIds] : null,
      where: asked || null,
      period: waited || null,
      table: chosen,
    }),
    placeholderData: keepPreviousData,
  })
  if (error) return <p className={styles['note']}>{messageOf(error)}</p>
  const preview = data?.reportPreview
  if (!preview) return <p className={styles['note']}>{isFetching ? 'Reading…' : 'There is no preview.'}</p>
  const { columns, rows, rowCount, isMore, scope, notes, parts } = preview
  return (
    <section className={styles['preview']} aria-label="Preview" aria-busy={isFetching}>
      <p className={styles['note']}>{typeTitles[type]}</p>
      <h3 className={styles['title']}>{name || 'Without a name yet'}</h3>
      <p className={styles['note']}>
        {isMore ? `More than ${count(rowCount)}` : count(rowCount)} {plural(rowCount, 'row', 'rows')}, of{' '}
        {inWords(scope)}.
      </p>
      <FirstRows columns={columns} rows={rows} />
      <Listed title="Contents" items={parts} />
      <Listed title="What this report does not show" items={notes} empty="Nothing is known to be missing." />
    </section>
  )
}

interface ListedProps {
  readonly title: string
  readonly items: readonly string[]
  readonly empty?: string
}

function Listed({ title, items, empty }: ListedProps) {
  return (
    <div className={styles['note']}>
      <h4 className={styles['heading']}>{title}</h4>
      {items.length === 0 ? (
        empty
      ) : (
        <ul className={styles['list']} lang={DOCUMENT_LANGUAGE}>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Preview = ReportPreviewData['reportPreview']

function FirstRows({ columns, rows }: Pick<Preview, 'columns' | 'rows'>) {
  return (
    <div className={styles['scroll']} tabIndex={0} role="group" aria-label="First rows">
      <table className={styles['table']} lang={DOCUMENT_LANGUAGE}>
        <thead>
          <tr>
            {columns.map((it, at) => (
              <th key={at} scope="col">
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS).map(({ cells }, at) => (
            <tr key={at}>
              {cells.map((cell, n) => (
                <td key={n}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
