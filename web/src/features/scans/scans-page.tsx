import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { usePrefetchQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { CollectorsPanel } from '#features/collectors/collectors-panel.tsx'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Page } from '#ui/page.tsx'
import { AllowedToScan } from './scan-permission.tsx'
import { firstScans, ScanHistory } from './scan-history.tsx'
import { TargetForm } from './target-form.tsx'
import { TargetsPanel } from './targets-panel.tsx'
import { RunningScans } from './running-scans.tsx'

export function ScansPage() {
  usePrefetchQuery(firstScans)
  const [isMaking, making] = useDisclosure(false)
  useFormOnArrival(making.open)
  return (
    <Page
      title="Scans"
      description="Sweeps look for hosts in the networks that you name here, and nowhere else; other scans look into one host."
      actions={
        <AllowedToScan>
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={making.open}>
            New target
          </Button>
        </AllowedToScan>
      }
    >
      <RunningScans />
      <TargetsPanel onMake={making.open} />
      <AfterLoading>
        <CollectorsPanel />
        <ScanHistory />
      </AfterLoading>
      <TargetForm isOpen={isMaking} onClose={making.close} />
    </Page>
  )
}
