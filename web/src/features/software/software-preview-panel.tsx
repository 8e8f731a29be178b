import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SoftwareListDocument, type SoftwareRow } from '#api/generated/software.ts'
import { q } from '#api/query-client.ts'
import { compareTerm, joinTerms } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { Holders } from './installed-on-drawer.tsx'
import { softwareName } from './software-columns.tsx'
import { originName } from './software-origins.ts'
import { SupportEnd } from './support-end.tsx'

interface SoftwarePreviewPanelProps {
  readonly id: string
  readonly onClose: () => void
}

/** A piece of software beside its list: what is known of it, and who has it. */
export function SoftwarePreviewPanel({ id, onClose }: SoftwarePreviewPanelProps) {
  const { data, error, refetch } = useQuery(
    q(SoftwareListDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [software] = data?.software.items ?? []
  return (
    <PreviewPanel
      title={software ? softwareName(software) : 'Software'}
      actions={software && <AssetsButton software={software} />}
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the software" />}
      {data && !software && <p>It is on no asset any more.</p>}
      {software && <Content software={software} />}
    </PreviewPanel>
  )
}

/** In the list of assets everything can be done with those that have it. */
function AssetsButton({ software: { name, version } }: { readonly software: SoftwareRow }) {
  const versions = version === '' ? [] : [compareTerm('version', [version])]
  const where = ['any software(', joinTerms([compareTerm('name', [name]), ...versions]), ')'].join('')
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/assets" search={{ where }} {...props} />}>
      As list of assets
    </Button>
  )
}

function Content({ software }: { readonly software: SoftwareRow }) {
  const { id, vendor, arch, origin, ecosystem, sourceName, firstSeen, endsOn } = software
  return (
    <>
      <PreviewFacts
        facts={[
          { title: 'Vendor', value: vendor },
          { title: 'Supported until', value: <SupportEnd day={endsOn} /> },
          { title: 'First seen', value: <Time at={firstSeen} /> },
          { title: 'Listed by', value: originName(origin) },
          { title: 'Ecosystem', value: ecosystem },
          { title: 'Architecture', value: arch },
          { title: 'Source package', value: sourceName },
        ]}
      />
      <Holders key={id} id={id} />
    </>
  )
}
