import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { usePermission } from '#api/use-permission.ts'
import { BulkBar } from '#features/bulk-changes/bulk-bar.tsx'
import styles from '#features/bulk-changes/bulk-bar.module.css'
import { BulkProgressStrip } from '#features/bulk-changes/bulk-progress-strip.tsx'
import { labelsPath } from '#features/bulk-changes/labels-path.ts'
import { useBulkChange } from '#features/bulk-changes/use-bulk-change.ts'
import { ScanNowButton } from '#features/discoveries/scan-now-button.tsx'
import { RunFlowDialog } from '#features/flows/start/run-flow-dialog.tsx'
import { ReportOfTheseButton } from '#features/reports/report-of-these-button.tsx'
import { chosenOf } from '#features/conditions/facet-terms.ts'
import type { useSelection } from '#ui/table/use-selection.ts'
import type { AssetSearch } from './asset-search-params.ts'
import { bulkSelectionOf } from './bulk-selection.ts'

interface BulkChangesProps {
  readonly search: AssetSearch
  readonly selection: ReturnType<typeof useSelection>
}

/** What can be done with the selected assets, and the change that is under way. */
export function BulkChanges({ search, selection }: BulkChangesProps) {
  const { change, start, follow, dismiss } = useBulkChange()
  const { session } = useRouteContext({ from: '/app' })
  const may = usePermission()
  const mayRunFlows = may('flows:write') && session.limitedTo === null
  const [isRunningFlow, setRunningFlow] = useState(false)
  if (!change && selection.size === 0) return null
  return (
    <div className={styles['stack']}>
      {change && <BulkProgressStrip change={change} onFollow={follow} onDismiss={dismiss} />}
      {selection.size > 0 && (
        <BulkBar
          n={selection.size}
          isAll={selection.isAll}
          labelsPath={labelsPath(selection.size, bulkSelectionOf(selection.selection, search))}
          isArchive={chosenOf(search.where ?? '', 'archived').values.includes('yes')}
          onStart={async (order) => {
            await start(bulkSelectionOf(selection.selection, search), order)
            selection.clear()
          }}
          onClear={selection.clear}
          onRunFlow={mayRunFlows ? () => setRunningFlow(true) : undefined}
          more={
            <>
              {session.limitedTo === null && (
                <ScanNowButton {...bulkSelectionOf(selection.selection, search)} />
              )}
              <ReportOfTheseButton {...bulkSelectionOf(selection.selection, search)} />
            </>
          }
        />
      )}
      {isRunningFlow && (
        <RunFlowDialog
          chosen={{ n: selection.size, ...bulkSelectionOf(selection.selection, search) }}
          onClose={() => setRunningFlow(false)}
        />
      )}
    </div>
  )
}
