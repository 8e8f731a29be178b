import { Button } from '@mantine/core'
import { useState } from 'react'
import { Plus } from 'lucide-react'
import { AllowedToScan } from '#features/scans/scan-permission.tsx'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Page } from '#ui/page.tsx'
import { DiscoveriesPanel } from './discoveries-panel.tsx'
import { DiscoveryForm } from './discovery-form.tsx'
import type { Edited } from './edited-discovery.ts'
import { RunsPanel } from './runs-panel.tsx'

export function DiscoveriesPage() {
  const [edited, setEdited] = useState<Edited>()
  return (
    <Page
      title="Discoveries"
      description="A discovery sweeps a target and logs in to every live host with what the vault may show there."
      actions={
        <AllowedToScan>
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setEdited('new')}>
            New discovery
          </Button>
        </AllowedToScan>
      }
    >
      <DiscoveriesPanel onEdit={setEdited} />
      <AfterLoading>
        <RunsPanel />
      </AfterLoading>
      {edited && <DiscoveryForm edited={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  )
}
