import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteSignOnDocument, SignOnDocument, type SignOnSettings } from '#api/generated/settings.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import styles from './settings-page.module.css'
import { SingleSignOnForm } from './single-sign-on-form.tsx'

/** The identity provider of the organisation. */
export function SingleSignOnPanel() {
  const { data, error, refetch } = useQuery(q(SignOnDocument, {}))
  return (
    <Panel title="Single sign-on">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonBlock />}
      {data && <Known signOn={data.signOn} />}
    </Panel>
  )
}

function Known({ signOn }: { readonly signOn: SignOnSettings | null }) {
  const may = usePermission()
  const [doing, setDoing] = useState<'set' | 'delete'>()
  const close = () => setDoing(undefined)
  const remove = useChange(DeleteSignOnDocument, { done: 'Single sign-on is off', onDone: close })
  return (
    <>
      {signOn ? <Facts signOn={signOn} /> : <Invite />}
      {may('settings:write') && (
        <div className={styles['buttons']}>
          <Button variant="default" onClick={() => setDoing('set')}>
            {signOn ? 'Change' : 'Set up'}
          </Button>
          {signOn && (
            <Button variant="default" onClick={() => setDoing('delete')}>
              Turn off
            </Button>
          )}
        </div>
      )}
      {doing === 'set' && <SingleSignOnForm signOn={signOn} onClose={close} />}
      <ConfirmDialog
        isOpen={doing === 'delete'}
        title="Turn single sign-on off?"
        action="Turn off"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({})}
        onClose={close}
      >
        <p>Sessions that the provider opened end at once, and accounts it manages cannot sign in.</p>
      </ConfirmDialog>
    </>
  )
}

function Invite() {
  return (
    <p className={`quiet ${styles['row']}`}>
      People sign in with passwords kept here. With an OpenID Connect provider they sign in where they do
      already.
    </p>
  )
}

function Facts({ signOn: { issuer, clientId, domains, role } }: { readonly signOn: SignOnSettings }) {
  return (
    <dl className={styles['facts']}>
      <dt>Issuer</dt>
      <dd className="mono">{issuer}</dd>
      <dt>Client id</dt>
      <dd className="mono">{clientId}</dd>
      <dt>Domains</dt>
      <dd>{domains.join(', ')}</dd>
      <dt>Newcomers become</dt>
      <dd>{role.name}</dd>
    </dl>
  )
}
