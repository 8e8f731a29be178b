import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  DeletePartnerDocument,
  PartnerDocument,
  UpdatePartnerDocument,
  type PartnerRow,
} from '#api/generated/partners.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { PartnerApiState } from './partner-api-state.tsx'
import { PartnerForm } from './partner-form.tsx'
import { PartnerKeysPanel } from './partner-keys-panel.tsx'
import { PartnerUsagePanel } from './partner-usage-panel.tsx'
import { PartnerWebhooksPanel } from './partner-webhooks-panel.tsx'

/** One partner: its usage, keys and webhooks. */
export function PartnerPage() {
  const { partnerId } = useParams({ from: '/app/partners/$partnerId' })
  const { data, error, refetch } = useQuery(q(PartnerDocument, { id: partnerId }))
  const partner = data?.partner
  return (
    <Page
      title={partner?.name ?? 'Partner'}
      aside={partner && <PartnerApiState isEnabled={partner.apiEnabled} />}
      description={
        partner && (
          <>
            <code>{partner.slug}</code> · {partner.email}
          </>
        )
      }
      actions={partner && <PartnerActions partner={partner} />}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && partner && (
        <>
          <ApiSwitch partner={partner} />
          <PartnerUsagePanel usage={data.partnerUsage} />
          <PartnerKeysPanel partnerId={partner.id} />
          <PartnerWebhooksPanel partnerId={partner.id} />
        </>
      )}
    </Page>
  )
}

function PartnerActions({ partner }: { readonly partner: PartnerRow }) {
  const may = usePermission()
  const navigate = useNavigate()
  const [isChanging, setChanging] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const remove = useChange(DeletePartnerDocument, {
    done: 'Partner deleted',
    onDone: () => void navigate({ to: '/partners' }),
  })
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/partners" {...props} />}>
        Partners
      </Button>
      {may('partners:write') && (
        <>
          <Button variant="default" onClick={() => setChanging(true)}>
            Change…
          </Button>
          <Button color="red" variant="light" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        </>
      )}
      {isChanging && <PartnerForm partner={partner} onClose={() => setChanging(false)} />}
      <ConfirmDialog
        isOpen={isDeleting}
        title={`Delete ${partner.name}?`}
        action="Delete partner"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id: partner.id })}
        onClose={() => setDeleting(false)}
      >
        <p>
          Its keys stop working at once, its webhooks are removed with what waits to be delivered. This cannot
          be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}

function ApiSwitch({ partner: { id, apiEnabled } }: { readonly partner: PartnerRow }) {
  const may = usePermission()
  const change = useChange(UpdatePartnerDocument, {
    done: ({ updatePartner }) => (updatePartner.apiEnabled ? 'API turned on' : 'API turned off'),
  })
  return (
    <Panel>
      <Switch
        label="API access"
        description="While it is off, every key of this partner is refused and its webhooks are paused; deliveries wait until it is on again."
        checked={apiEnabled}
        disabled={!may('partners:write') || change.isPending}
        onChange={({ currentTarget: { checked } }) => change.mutate({ id, apiEnabled: checked })}
      />
    </Panel>
  )
}
