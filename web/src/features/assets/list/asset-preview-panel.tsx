import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AssetDocument, type AssetData } from '#api/generated/asset.ts'
import { AssetAssessmentsDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { unassessedText } from '#features/vulnerabilities/assessment.ts'
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
      {may('vulnerabilities:read') && <Risk asset={asset} />}
    </>
  )
}

/** The score, or why there is none: nobody looked is not that nothing is wrong. */
function Risk({ asset: { id, riskScore } }: { readonly asset: AssetData['asset'] }) {
  const { data } = useQuery(q(AssetAssessmentsDocument, { assetIds: [id] }))
  const state = data?.assetAssessments[0]?.state
  if (!data) return <SkeletonBlock label="Loading the risk" />
  return (
    <>
      <p>
        <RiskScore score={riskScore} state={state} />{' '}
        <Link to="/assets/$assetId" params={{ assetId: id }} search={{ tab: 'findings' }}>
          What is wrong
        </Link>
      </p>
      {riskScore === 0 && state !== undefined && state !== 'assessed' && (
        <p className="quiet">{unassessedText[state]}</p>
      )}
    </>
  )
}
