import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { usePermission } from '#api/use-permission.ts'
import { BulkBar } from '#features/bulk-changes/bulk-bar.tsx'
import { BulkProgressStrip } from '#features/bulk-changes/bulk-progress-strip.tsx'
import { labelsPath } from '#features/bulk-changes/labels-path.ts'
import { selected } from '#features/bulk-changes/bulk-selection.ts'
import { useBulkChange, type BulkSelection } from '#features/bulk-changes/use-bulk-change.ts'
import { ScanNowButton } from '#features/discoveries/scan-now-button.tsx'
import { RunFlowDialog } from '#features/flows/start/run-flow-dialog.tsx'
import { ReportOfTheseButton } from '#features/reports/report-of-these-button.tsx'
import { chosenOf } from '#features/conditions/facet-terms.ts'
import { conditionOf } from '#features/conditions/meant-by.ts'
import { SelectionBars } from '#ui/table/selection-bar.tsx'
import type { Selection } from '#ui/table/selection.ts'
import type { RowSelection } from '#ui/table/use-selection.ts'
import type { AssetSearch } from './asset-search-params.ts'

/** All that the list has without a condition. */
const LIVING = 'archived = no'

interface BulkChangesProps {
  readonly search: AssetSearch
  readonly selection: RowSelection
}

/** What can be done with the selected assets, and the change that is under way. */
export function BulkChanges({ search, selection }: BulkChangesProps) {
  const { change, start, follow, dismiss } = useBulkChange('asset')
  const { session } = useRouteContext({ from: '/app' })
  const may = usePermission()
  const chosen = selectionOf(selection.selection, search)
  const mayRunFlows = may('flows:write') && session.limitedTo === null
  const [isRunningFlow, setRunningFlow] = useState(false)
  return (
    <SelectionBars>
      {change && <BulkProgressStrip change={change} onFollow={follow} onDismiss={dismiss} />}
      {selection.size > 0 && (
        <BulkBar
          selection={selection}
          labelsPath={labelsPath(selection.size, chosen)}
          isArchive={chosenOf(search.where ?? '', 'archived').values.includes('yes')}
          onStart={async (order) => {
            await start(chosen, order)
            selection.clear()
          }}
          onRunFlow={mayRunFlows ? () => setRunningFlow(true) : undefined}
          more={
            <>
              {session.limitedTo === null && <ScanNowButton {...chosen} />}
              <ReportOfTheseButton {...chosen} />
            </>
          }
        />
      )}
      {isRunningFlow && (
        <RunFlowDialog chosen={{ n: selection.size, ...chosen }} onClose={() => setRunningFlow(false)} />
      )}
    </SelectionBars>
  )
}

/** The selected assets, as bulk changes take them. */
function selectionOf(selection: Selection, { where = '', search = '' }: AssetSearch): BulkSelection {
  const it = selected(selection, conditionOf({ where, text: search }) || LIVING)
  return 'ids' in it ? { assetIds: it.ids } : it
}
