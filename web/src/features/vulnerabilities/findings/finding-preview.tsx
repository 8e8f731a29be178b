import { Suspense } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import type { Preview } from '#ui/table/use-address-value.ts'

const FindingDetails = lazyScreen(() => import('./finding-details.tsx'), 'FindingDetails')

/** One finding beside its list, and how it was derived. */
export function FindingPreview({ preview: { opened, close } }: { readonly preview: Preview }) {
  if (opened === undefined) return null
  return (
    <PreviewPanel title="Why this is a finding" onClose={close}>
      <Suspense fallback={<SkeletonBlock />}>
        <FindingDetails findingId={opened} />
      </Suspense>
    </PreviewPanel>
  )
}
