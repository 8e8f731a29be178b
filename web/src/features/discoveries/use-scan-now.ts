import { useNavigate } from '@tanstack/react-router'
import { ScanNowDocument } from '#api/generated/discoveries.ts'
import { useChange } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'

/** Scans assets at once, and shows the run. */
export function useScanNow() {
  const navigate = useNavigate()
  return useChange(ScanNowDocument, {
    done: ({ scanNow: { leftOut } }) =>
      leftOut.length === 0
        ? 'Scan started'
        : `Scan started; ${many(leftOut.length, 'asset')} left out: ${leftOut[0]?.why ?? ''}`,
    onDone: ({ scanNow: { run } }) => void navigate({ to: '/discoveries/$runId', params: { runId: run.id } }),
  })
}
