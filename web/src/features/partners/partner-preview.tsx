import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PartnersDocument, type PartnerRow } from '#api/generated/partners.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { PartnerApiState } from './partner-api-state.tsx'

interface PartnerPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A partner beside its list. */
export function PartnerPreview({ id, onClose }: PartnerPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(PartnersDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [partner] = data?.partners.items ?? []
  return (
    <PreviewPanel
      title={partner?.name ?? 'Partner'}
      actions={partner && <OpenButton id={id} />}
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the partner" />}
      {data && !partner && <p>There is no such partner any more.</p>}
      {partner && <Content partner={partner} />}
    </PreviewPanel>
  )
}

const OpenButton = ({ id }: { readonly id: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link to="/partners/$partnerId" params={{ partnerId: id }} {...props} />}
  >
    Open partner
  </Button>
)

const Content = ({ partner }: { readonly partner: PartnerRow }) => (
  <PreviewFacts
    facts={[
      { title: 'API', value: <PartnerApiState isEnabled={partner.apiEnabled} /> },
      { title: 'Short name', value: <code>{partner.slug}</code> },
      { title: 'Contact', value: partner.email },
      { title: 'Asset quota', value: count(partner.quotaLimit) },
      { title: 'Requests per minute', value: count(partner.rateLimit) },
      { title: 'Created', value: <Time at={partner.createdAt} /> },
    ]}
  />
)
