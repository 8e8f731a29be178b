import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { CancelImportDocument, ImportDocument } from '#api/generated/imports.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count, many, percent } from '#lib/numbers.ts'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ImportComparison } from './import-comparison.tsx'
import { ImportReview } from './import-review.tsx'
import { ImportStatusBadge, isInProgress } from './import-status.tsx'
import styles from './imports-page.module.css'
import type { ImportDetails } from './import.ts'
import { RejectedRows } from './rejected-rows.tsx'

const REFRESH_MS = 700

/** One import: preview, progress and result. */
export function ImportPage() {
  const { importId } = useParams({ from: '/app/imports/$importId' })
  const { data, error, refetch } = useQuery({
    ...q(ImportDocument, { id: importId }),
    refetchInterval: ({ state }) =>
      state.data && isInProgress(state.data.import.status) ? REFRESH_MS : false,
  })
  const one = data?.import
  return (
    <Page
      title={one?.name ?? 'Import'}
      aside={one && <ImportStatusBadge status={one.status} />}
      description={one && one.message !== '' ? one.message : undefined}
      actions={one && <Actions one={one} />}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!one && !error && <SkeletonBlock />}
      {one && isInProgress(one.status) && <ImportProgress one={one} />}
      {one?.status === 'ready' && <ImportReview key={one.id} one={one} />}
      {one && hasResult(one) && <Outcome one={one} />}
      {one?.comparison && <ImportComparison comparison={one.comparison} />}
    </Page>
  )
}

const hasResult = ({ status, observed, rejectedTotal }: ImportDetails): boolean =>
  status === 'completed' || status === 'running' || observed + rejectedTotal > 0

function Actions({ one }: { readonly one: ImportDetails }) {
  const may = usePermission()
  const cancel = useChange(CancelImportDocument, { done: 'Import cancelled' })
  const isOver = one.finishedAt !== null
  return (
    <>
      {!isOver && may('imports:write') && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id: one.id })}>
          Cancel
        </Button>
      )}
      <Button variant="default" renderRoot={(props) => <Link to="/imports" {...props} />}>
        {isOver ? 'Import another file' : 'Imports'}
      </Button>
    </>
  )
}

function ImportProgress({ one }: { readonly one: ImportDetails }) {
  const share = one.bytes === 0 ? 0 : one.bytesRead / one.bytes
  const words = {
    uploading: 'Uploading',
    checking: 'Reading the file',
    waiting: 'Waiting',
    running: 'Importing',
  }
  const word = words[one.status as keyof typeof words]
  return (
    <Panel title={word}>
      <ProgressBar label={word} share={one.status === 'waiting' ? null : share} />
      <p className="quiet" role="status">
        {percent(share)} of the file
        {one.status === 'running' && ` · ${many(one.observed, 'row')} taken`}. You may leave this page; the
        work goes on.
      </p>
    </Panel>
  )
}

function Outcome({ one }: { readonly one: ImportDetails }) {
  const figures: readonly (readonly [string, number])[] = [
    ['Rows taken', one.observed],
    ['Assets new', one.created],
    ['Assets changed', one.updated],
    ['Known already', one.unchanged],
    ['Rows left out', one.rejectedTotal],
  ]
  return (
    <>
      {one.status === 'failed' && (
        <Alert color="red" variant="light" role="alert" title="The import ended early">
          What was taken before stays. The same file can be imported again: what is known is not taken twice.
        </Alert>
      )}
      <Panel title={one.status === 'running' ? 'So far' : 'What came of it'}>
        <dl className={styles['figures']}>
          {figures.map(([name, value]) => (
            <div key={name} className={styles['figure']}>
              <dt>{name}</dt>
              <dd>{count(value)}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      {one.status === 'completed' && (
        <div className={styles['buttons']}>
          <Button renderRoot={(props) => <Link to="/assets" {...props} />}>See the assets</Button>
        </div>
      )}
      <RejectedRows
        title="Left out"
        columns={one.columns}
        rejected={one.rejected}
        total={one.rejectedTotal}
      />
    </>
  )
}
