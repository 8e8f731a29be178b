import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError, isNotFound } from '#api/errors.ts'
import { AssetDocument, type AssetData } from '#api/generated/asset.ts'
import { q } from '#api/query-client.ts'
import { ScanNowButton } from '#features/discoveries/scan-now-button.tsx'
import { percent } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { kindName } from '../asset-kind.tsx'
import { ArchiveAsset, ArchivedBadge } from './archive-asset.tsx'
import { DeleteAsset } from './delete-asset.tsx'
import { AssetSummary } from './asset-summary.tsx'
import { AssetTabContent } from './asset-tab-content.tsx'
import { AssetTabs } from './asset-tabs.tsx'
import { FreshnessBadge, StaleBadge } from '../freshness.tsx'
import { LabelMenu } from './label-menu.tsx'
import { MergeSearch } from '../merging/merge-search.tsx'
import { MissingAsset } from './missing-asset.tsx'

export function AssetPage() {
  const { assetId } = useParams({ from: '/app/assets/$assetId' })
  const { data, error, refetch } = useQuery(q(AssetDocument, { id: assetId }))
  const survivor = error instanceof ApiError ? error.mergedInto : undefined
  useFollowMerge(survivor)
  if (error && !survivor)
    return (
      <Page title="Asset">
        {isNotFound(error) ? (
          <MissingAsset assetId={assetId} />
        ) : (
          <LoadError error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    )
  if (!data)
    return (
      <Page title="Asset">
        <Panel>
          <SkeletonBlock label="Loading the asset" />
        </Panel>
      </Page>
    )
  return <LoadedAsset asset={data.asset} />
}

/** Redirects from a merged asset to its survivor. */
function useFollowMerge(survivor: string | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (survivor)
      void navigate({ to: '/assets/$assetId', params: { assetId: survivor }, search: true, replace: true })
  }, [survivor, navigate])
}

function LoadedAsset({ asset }: { readonly asset: AssetData['asset'] }) {
  const { session } = useRouteContext({ from: '/app' })
  const mayWrite = session.permissions.includes('assets:write')
  return (
    <Page
      title={asset.name}
      aside={
        <>
          <Badge>{kindName(asset)}</Badge>
          <FreshnessBadge lastSeen={asset.lastSeen} />
          <StaleBadge since={asset.staleSince} />
          {asset.archivedAt && <ArchivedBadge at={asset.archivedAt} by={asset.archivedBy} />}
          <Badge tone="accent">Confidence {percent(asset.confidence)}</Badge>
        </>
      }
      actions={
        <>
          <LabelMenu assetId={asset.id} />
          {session.limitedTo === null && !asset.archivedAt && <ScanNowButton assetIds={[asset.id]} />}
          {mayWrite && <Actions asset={asset} />}
        </>
      }
    >
      <AssetSummary asset={asset} />
      <AssetTabs assetId={asset.id} />
      <AssetTabContent key={asset.id} asset={asset} mayWrite={mayWrite} />
    </Page>
  )
}

function Actions({ asset }: { readonly asset: AssetData['asset'] }) {
  const [isMerging, setMerging] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Merge size={14} aria-hidden />}
        onClick={() => setMerging(true)}
      >
        Merge with…
      </Button>
      <ArchiveAsset asset={asset} />
      <DeleteAsset asset={asset} />
      {isMerging && <MergeSearch asset={asset} onClose={() => setMerging(false)} />}
    </>
  )
}
