import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError, isNotFound } from '#api/errors.ts'
import { AssetDocument, type AssetData } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { AttachmentsPanel } from '#features/records/attachments/attachments-panel.tsx'
import { ScanNowButton } from '#features/discoveries/scan-now-button.tsx'
import { RecordPanel } from '#features/records/record-panel.tsx'
import { TouchesPanel } from '#features/scans/touches-panel.tsx'
import { AssetSoftwarePanel } from '#features/software/asset-software-panel.tsx'
import { RelationsPanel } from '#features/topology/relations-panel.tsx'
import { AssetRiskPanel } from '#features/vulnerabilities/risk/asset-risk-panel.tsx'
import { percent } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { PossibleDuplicatesPanel } from '../merging/possible-duplicates-panel.tsx'
import styles from './asset-page.module.css'
import { RecognitionPanel } from '../recognition/recognition-panel.tsx'
import { typeName } from '../asset-types.ts'
import { AttributesPanel } from '../editing/attributes-panel.tsx'
import { CustomFieldsPanel } from '../editing/custom-fields-panel.tsx'
import { ArchiveAsset, ArchivedBadge } from './archive-asset.tsx'
import { DeleteAsset } from './delete-asset.tsx'
import { EvidencePanel } from '../evidence/evidence-panel.tsx'
import { AssetSummary } from './asset-summary.tsx'
import { FreshnessBadge, StaleBadge } from '../freshness.tsx'
import { InterfacesPanel } from './interfaces-panel.tsx'
import { LabelMenu } from './label-menu.tsx'
import { MergeSearch } from '../merging/merge-search.tsx'
import { MissingAsset } from './missing-asset.tsx'
import { ObservationsPanel } from './observations-panel.tsx'
import { AssetHistoryPanel } from './asset-history-panel.tsx'
import { TagsPanel } from '../editing/tags-panel.tsx'

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
    if (survivor) void navigate({ to: '/assets/$assetId', params: { assetId: survivor }, replace: true })
  }, [survivor, navigate])
}

function LoadedAsset({ asset }: { readonly asset: AssetData['asset'] }) {
  const { session } = useRouteContext({ from: '/app' })
  const mayWrite = session.permissions.includes('assets:write')
  const may = usePermission()
  return (
    <Page
      title={asset.name}
      aside={
        <>
          <Badge>{typeName(asset.assetType)}</Badge>
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
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <EvidencePanel key={asset.id} asset={asset} mayWrite={mayWrite} />
          <AttributesPanel assetId={asset.id} attributes={asset.attributes} mayWrite={mayWrite} />
          <AssetSoftwarePanel key={`software ${asset.id}`} assetId={asset.id} />
          <ObservationsPanel observations={asset.observations} />
          {may('scans:read') && session.limitedTo === null && (
            <TouchesPanel key={`touches ${asset.id}`} assetId={asset.id} />
          )}
        </div>
        <SideColumn asset={asset} mayWrite={mayWrite} />
      </div>
    </Page>
  )
}

function SideColumn({ asset, mayWrite }: { readonly asset: AssetData['asset']; readonly mayWrite: boolean }) {
  const may = usePermission()
  return (
    <div className={styles['side']}>
      {may('vulnerabilities:read') && <AssetRiskPanel assetId={asset.id} />}
      <RecordPanel key={`record ${asset.id}`} assetId={asset.id} mayWrite={mayWrite} />
      <AfterLoading>
        <RecognitionPanel key={`recognition ${asset.id}`} assetId={asset.id} mayWrite={mayWrite} />
        <PossibleDuplicatesPanel asset={asset} />
        <TagsPanel key={asset.tags.join()} assetId={asset.id} tags={asset.tags} mayWrite={mayWrite} />
        <CustomFieldsPanel assetId={asset.id} values={asset.customFields} mayWrite={mayWrite} />
        <RelationsPanel assetId={asset.id} mayWrite={mayWrite} />
        <AttachmentsPanel key={`files ${asset.id}`} assetId={asset.id} mayWrite={mayWrite} />
        <InterfacesPanel interfaces={asset.interfaces} />
        <AssetHistoryPanel asset={asset} />
      </AfterLoading>
    </div>
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
