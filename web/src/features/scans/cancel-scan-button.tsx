import { Button } from '@mantine/core'
import { CancelScanDocument, type ScanRow } from '#api/generated/scans.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'

interface CancelScanButtonProps {
  readonly scan: Pick<ScanRow, 'id' | 'targetAddress'>
}

/** Ends a scan that waits or is under way; what it found stays. */
export function CancelScanButton({ scan: { id, targetAddress } }: CancelScanButtonProps) {
  const may = usePermission()
  const cancel = useChange(CancelScanDocument, { done: 'Scan cancelled' })
  return (
    <Button
      variant="default"
      disabled={!may('scans:write')}
      loading={cancel.isPending}
      aria-label={`Cancel the scan of ${targetAddress}`}
      onClick={() => cancel.mutate({ id })}
    >
      Cancel
    </Button>
  )
}
