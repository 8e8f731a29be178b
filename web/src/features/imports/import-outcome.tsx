import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import type { ImportResult } from './import-file.ts'
import styles from './imports-page.module.css'
import { Rejections } from './rejections.tsx'

interface ImportOutcomeProps {
  readonly fileName: string
  readonly result: ImportResult
  readonly onAnother: () => void
}

export function ImportOutcome({ fileName, result, onAnother }: ImportOutcomeProps) {
  const figures: readonly (readonly [string, number])[] = [
    ['Rows taken', result.observed],
    ['Assets new', result.created],
    ['Assets changed', result.updated],
    ['Known already', result.unchanged],
    ['Rows left out', result.rejectedTotal],
  ]
  return (
    <>
      <Panel title={`${fileName} is imported`}>
        <dl className={styles['figures']} role="status">
          {figures.map(([name, value]) => (
            <div key={name} className={styles['figure']}>
              <dt>{name}</dt>
              <dd>{count(value)}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <div className={styles['buttons']}>
        <Button renderRoot={(props) => <Link to="/assets" {...props} />}>See the assets</Button>
        <Button variant="default" onClick={onAnother}>
          Import another file
        </Button>
      </div>
      <Rejections title="Left out" rejected={result.rejected} total={result.rejectedTotal} />
    </>
  )
}
