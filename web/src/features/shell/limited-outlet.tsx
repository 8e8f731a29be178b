import { Outlet, useLocation, useRouteContext } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { itemAt } from './navigation/navigation.ts'

/** The screen; to who is limited to some assets, in place of screens about all assets, why they are not shown. */
export function LimitedOutlet() {
  const { session } = useRouteContext({ from: '/app' })
  const { pathname } = useLocation()
  const item = session.limitedTo === null ? undefined : itemAt(pathname)
  if (!item?.isOfAllAssets) return <Outlet />
  return (
    <Page title={item.title}>
      <EmptyState icon={Lock} title="This is about all assets of the organisation">
        Your role is limited to assets where <code>{session.limitedTo}</code>. To see this page you need a
        role without a condition; an administrator of this organisation can give you one.
      </EmptyState>
    </Page>
  )
}
