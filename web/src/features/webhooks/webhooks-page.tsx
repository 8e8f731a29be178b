import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { WebhooksDocument, type WebhookRow } from '#api/generated/webhooks.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { WebhookDialogs } from './webhook-dialogs.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookSecret, type IssuedSecret } from './webhook-secret.tsx'
import { WebhookTable, type WebhookAct } from './webhook-table.tsx'

export function WebhooksPage() {
  const { data, error, refetch } = useQuery(q(WebhooksDocument, {}))
  const [isMaking, setMaking] = useState(false)
  const [doing, setDoing] = useState<{ act: WebhookAct; webhook: WebhookRow }>()
  const [issued, setIssued] = useState<IssuedSecret>()
  const make = () => setMaking(true)
  useFormOnArrival(make)
  return (
    <Page
      title="Webhooks"
      aside={data && <Badge>{count(data.webhooks.length)}</Badge>}
      description="Signed messages to other systems about what happens here, tried again until they arrive."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/deliveries" {...props} />}>
            All deliveries
          </Button>
          <NewWebhookButton onClick={make} />
        </>
      }
    >
      <Panel isFlush>
        <WebhookTable
          rows={data?.webhooks}
          error={error}
          onRetry={() => void refetch()}
          onAct={(act, webhook) => setDoing({ act, webhook })}
          empty={<NoWebhooks onMake={make} />}
        />
      </Panel>
      {isMaking && <WebhookForm webhook={undefined} onIssued={setIssued} onClose={() => setMaking(false)} />}
      {doing && <WebhookDialogs {...doing} onIssued={setIssued} onClose={() => setDoing(undefined)} />}
      <WebhookSecret issued={issued} onClose={() => setIssued(undefined)} />
    </Page>
  )
}

interface NewWebhookButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function NewWebhookButton({ isSecond = false, onClick }: NewWebhookButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('webhooks:write')}
      title={may('webhooks:write') ? undefined : 'Your role does not make webhooks'}
      onClick={onClick}
    >
      New webhook
    </Button>
  )
}

function NoWebhooks({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState icon={Webhook} title="No webhook yet" action={<NewWebhookButton isSecond onClick={onMake} />}>
      Tell a ticket system, a chat or a script of yours about new assets, finished scans and more.
    </EmptyState>
  )
}
