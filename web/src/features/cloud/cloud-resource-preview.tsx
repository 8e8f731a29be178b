import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CloudResourcesDocument, type CloudResourceRow } from '#api/generated/cloud.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { Cost } from './cloud-columns.tsx'
import { providerName, typeName } from './cloud-search-params.ts'

interface CloudResourcePreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A resource beside its list: what its provider tells of it. */
export function CloudResourcePreview({ id, onClose }: CloudResourcePreviewProps) {
  const { data, error, refetch } = useQuery(
    q(CloudResourcesDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [resource] = data?.cloudResources.items ?? []
  return (
    <PreviewPanel
      title={resource?.name ?? 'Cloud resource'}
      actions={resource?.assetId && <AssetButton assetId={resource.assetId} />}
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the resource" />}
      {data && !resource && <p>Its provider does not list it any more.</p>}
      {resource && <Content resource={resource} />}
    </PreviewPanel>
  )
}

const AssetButton = ({ assetId }: { readonly assetId: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link to="/assets/$assetId" params={{ assetId }} {...props} />}
  >
    Open
  </Button>
)

function Content({ resource }: { readonly resource: CloudResourceRow }) {
  const { type, provider, region, place, carbon, status, account, tags, costs, connectionName } = resource
  const grid = carbon && `${Math.round(carbon.gridGramsPerKwh)} g CO₂e/kWh, ${carbon.year}`
  return (
    <PreviewFacts
      facts={[
        { title: 'Type', value: typeName(type) },
        { title: 'Provider', value: providerName(provider) },
        { title: 'Status', value: status },
        { title: 'Account', value: account },
        { title: 'Region', value: [region, place, grid].filter(Boolean).join(', ') },
        { title: 'Tags', value: tags.join(', ') },
        { title: 'Cost', value: <Cost costs={costs} /> },
        { title: 'Connection', value: connectionName },
        { title: 'Last seen', value: <Time at={resource.lastSeen} /> },
      ]}
    />
  )
}
