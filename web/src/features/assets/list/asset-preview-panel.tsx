import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AssetDocument, type AssetData } from '#api/generated/asset.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { RiskScore } from '#features/vulnerabilities/risk/risk-score.tsx'
import { Badge, Chip } from '#ui/badge.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Several } from '#ui/table/cell.tsx'
import { typeName } from '../asset-types.ts'
import { FreshnessBadge, StaleBadge } from '../freshness.tsx'
import { AssetSummary } from '../page/asset-summary.tsx'

interface AssetPreviewPanelProps {
  readonly assetId: string
  readonly onClose: () => void
}

/** An asset of the list beside it: what it is and what is wrong. */
export function AssetPreviewPanel({ assetId, onClose }: AssetPreviewPanelProps) {
  const { data, error, refetch } = useQuery(q(AssetDocument, { id: assetId }))
  return (
    <PreviewPanel
      title={data?.asset.name ?? 'Asset'}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/assets/$assetId" params={{ assetId }} {...props} />}
        >
          Open
        </Button>
      }
      onClose={onClose}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error && <SkeletonBlock label="Loading the asset" />}
      {data && <Content key={assetId} asset={data.asset} />}
    </PreviewPanel>
  )
}

function Content({ asset }: { readonly asset: AssetData['asset'] }) {
  const may = usePermission()
  return (
    <>
      <Several>
        <Badge>{typeName(asset.assetType)}</Badge>
        <FreshnessBadge lastSeen={asset.lastSeen} />
        <StaleBadge since={asset.staleSince} />
        {asset.tags.map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
      </Several>
      <AssetSummary asset={asset} />
      {may('vulnerabilities:read') && (
        <p>
          <RiskScore score={asset.riskScore} />{' '}
          <Link to="/assets/$assetId" params={{ assetId: asset.id }} search={{ tab: 'findings' }}>
            What is wrong
          </Link>
        </p>
      )}
    </>
  )
}
