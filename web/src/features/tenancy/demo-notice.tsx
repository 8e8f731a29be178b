import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { DemoDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import type { Tenant } from '#api/session.ts'
import { inTenant } from '#api/tenant-url.ts'
import { count } from '#lib/numbers.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { toastFailed } from '#ui/toast.ts'
import styles from './demo-notice.module.css'
import { closeDemo } from './own-tenants.ts'

const ASKED_AGAIN_MS = 1_000

/** Says that the organisation is invented, how far it is filled, and takes it away. `assets`: how many there are. */
export function DemoNotice({ assets = 0 }: { readonly assets: number | undefined }) {
  const { tenants } = useRouteContext({ from: '/app' }).session
  const { data } = useQuery({
    ...q(DemoDocument, {}),
    refetchInterval: ({ state }) => (state.data?.demo?.filledAt === null ? ASKED_AGAIN_MS : false),
  })
  const home = tenants.find(({ isDemo }) => !isDemo)
  const demo = data?.demo
  return (
    <Panel>
      <div className={styles['notice']}>
        <FlaskConical size={18} aria-hidden />
        <p className={styles['text']} role="status">
          {demo?.filledAt === null
            ? `This company is being put together: ${count(assets)} of ${count(demo.assets)} assets so far.`
            : 'Everything here is invented. Change what you like: your own organisation is untouched.'}
        </p>
        {home && (
          <Button variant="default" component="a" href={inTenant('/', home.slug)}>
            Back to {home.name}
          </Button>
        )}
        <Removal home={home} />
      </div>
      {demo?.filledAt === null && (
        <div className={styles['progress']}>
          <ProgressBar label="Assets so far" share={assets / demo.assets} />
        </div>
      )}
    </Panel>
  )
}

/** `home`: where the person is afterwards. */
function Removal({ home }: { readonly home: Tenant | undefined }) {
  const { tenant } = useRouteContext({ from: '/app' }).session
  const [isAsking, setAsking] = useState(false)
  const close = useMutation({
    mutationFn: closeDemo,
    onSuccess: () => location.assign(home ? inTenant('/', home.slug) : '/sign-in'),
    onError: ({ message }) => toastFailed(message),
  })
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove the demo
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Remove ${tenant.name}?`}
        action="Remove the demo"
        isDestructive
        isBusy={close.isPending || close.isSuccess}
        onConfirm={() => close.mutate()}
        onClose={() => setAsking(false)}
      >
        All that is in it goes for good, with what you changed in it. You can have a new one at any time.
      </ConfirmDialog>
    </>
  )
}
