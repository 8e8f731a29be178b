import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReportPreviewDocument, type ReportType } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import styles from './report-preview.module.css'

interface ReportPreviewProps {
  readonly type: ReportType
  readonly period: string
}

const WAIT_MS = 400
const ROWS = 6

/** How the report would begin now. */
export function ReportPreview({ type, period }: ReportPreviewProps) {
  const [waited] = useDebouncedValue(period, WAIT_MS)
  const { data, isFetching } = useQuery({
    ...q(ReportPreviewDocument, { type, period: waited || null }),
    placeholderData: keepPreviousData,
  })
  const preview = data?.reportPreview
  if (!preview) return <p className={styles['note']}>{isFetching ? 'Reading…' : 'There is no preview.'}</p>
  const { columns, rows, rowCount, isMore, scope, notes } = preview
  return (
    <section className={styles['preview']} aria-label="Preview" aria-busy={isFetching}>
      <p className={styles['note']}>
        {isMore ? `More than ${count(rowCount)}` : count(rowCount)} rows, of {scope}.
      </p>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label="First rows">
        <table className={styles['table']}>
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
      {notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
    </section>
  )
}
