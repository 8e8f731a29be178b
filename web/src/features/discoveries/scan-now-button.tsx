import { Button } from '@mantine/core'
import { Radar } from 'lucide-react'
import type { ScanNowVariables } from '#api/generated/discoveries.ts'
import { AllowedToScan } from '#features/scans/scan-permission.tsx'
import { useScanNow } from './use-scan-now.ts'

/** Scans the assets that are named, or that a condition finds. */
export function ScanNowButton(selection: ScanNowVariables) {
  const scan = useScanNow()
  return (
    <AllowedToScan>
      <Button
        variant="default"
        leftSection={<Radar size={14} aria-hidden />}
        loading={scan.isPending}
        onClick={() => scan.mutate(selection)}
      >
        Scan now
      </Button>
    </AllowedToScan>
  )
}
