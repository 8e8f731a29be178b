import { Button, Switch } from '@mantine/core'
import { many } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/text.ts'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import type { ImportPreview, SampleRow } from './import-file.ts'
import styles from './imports-page.module.css'
import { Rejections } from './rejections.tsx'

interface ImportReviewProps {
  readonly file: File
  readonly preview: ImportPreview
  readonly ignoresUnknown: boolean
  readonly isBusy: boolean
  readonly onIgnoreUnknown: (ignores: boolean) => void
  readonly onImport: () => void
  readonly onCancel: () => void
}

/** What a file would bring and what it would not, before anything is written. */
export function ImportReview(props: ImportReviewProps) {
  const { file, preview } = props
  const { format, rows, sample, rejected, rejectedTotal } = preview
  return (
    <>
      <Panel>
        <div className={styles['head']}>
          <div className={styles['file']}>
            <span className={styles['name']}>{file.name}</span>
            <span className="quiet">
              {format} · {many(rows, 'row')} to import
              {rejectedTotal > 0 && ` · ${many(rejectedTotal, 'row')} left out`}
            </span>
          </div>
          <div className={styles['buttons']}>
            <Switch
              label="Leave out unknown columns"
              checked={props.ignoresUnknown}
              onChange={({ currentTarget }) => props.onIgnoreUnknown(currentTarget.checked)}
            />
            <Button variant="default" onClick={props.onCancel}>
              Another file
            </Button>
            <Button disabled={rows === 0} loading={props.isBusy} onClick={props.onImport}>
              Import {many(rows, 'row')}
            </Button>
          </div>
        </div>
      </Panel>
      <Rejections title="Would be left out" rejected={rejected} total={rejectedTotal} />
      {sample.length > 0 && <FirstRows sample={sample} />}
    </>
  )
}

function FirstRows({ sample }: { readonly sample: ImportPreview['sample'] }) {
  return (
    <Panel title="The first rows" isFlush>
      <DataTable
        label="The first rows"
        columns={columns}
        rows={sample}
        keyOf={({ line }) => String(line)}
        empty={null}
      />
    </Panel>
  )
}

const columns: readonly Column<SampleRow>[] = [
  { title: 'Line', align: 'right', cell: ({ line }) => line },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Type', cell: ({ assetType }) => sentenceCase(assetType ?? '') },
  {
    title: 'Identifiers',
    isMinor: true,
    cell: ({ identifiers }) => (
      <span className="mono">{identifiers.map(({ value }) => value).join('  ')}</span>
    ),
  },
]
