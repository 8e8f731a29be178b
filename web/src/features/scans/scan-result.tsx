import type { ScanResultsData } from '#api/generated/scans.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { flattenScanResult, type ResultRow } from './flatten-scan-result.ts'
import styles from './scan-result.module.css'

type Result = ScanResultsData['scanResults']['items'][number]

const columns: readonly Column<ResultRow>[] = [
  { title: 'Field', cell: ({ path }) => path },
  { title: 'Value', cell: ({ value }) => <span className={styles['value']}>{value}</span> },
]

/** The scan result of one host: parsed, and below it raw. */
export function ScanResult({ result }: { readonly result: Result }) {
  const { host, name, read, isCut, raw, seenAt } = result
  const title = name === host ? host : `${name} (${host})`
  return (
    <Panel title={title} aside={<Time at={seenAt} />} isFlush>
      <DataTable
        label={`What was read of ${title}`}
        columns={columns}
        rows={flattenScanResult(read)}
        keyOf={({ path }) => path}
        empty={<p className={styles['note']}>Nothing of what it said was understood.</p>}
      />
      {isCut && <p className={styles['note']}>This is a part; the inventory has all of it.</p>}
      {raw.map(({ part, text }, at) => (
        // names may repeat, and the order never changes
        // oxlint-disable-next-line react/no-array-index-key
        <details key={at} className={styles['raw']}>
          <summary>{part}</summary>
          <pre className={styles['text']} tabIndex={0} role="region" aria-label={`${part} of ${title}`}>
            {text}
          </pre>
        </details>
      ))}
    </Panel>
  )
}
