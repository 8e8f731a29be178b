import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { DemoDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { inTenant } from '#api/tenant-url.ts'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import styles from './demo-notice.module.css'
import { REMOVE_DEMO } from './own-tenants.ts'

const ASKED_AGAIN_MS = 1_000

/** Says that the organisation is invented, how far it is filled, and where it is removed. `assets`: how many there are. */
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
          <>
            <Button variant="default" component="a" href={inTenant('/', home.slug)}>
              Back to {home.name}
            </Button>
            <Button
              variant="default"
              component="a"
              href={inTenant(`/organisations${REMOVE_DEMO}`, home.slug)}
            >
              Remove the demo
            </Button>
          </>
        )}
      </div>
      {demo?.filledAt === null && (
        <div className={styles['progress']}>
          <ProgressBar label="Assets so far" share={assets / demo.assets} />
        </div>
      )}
    </Panel>
  )
}
