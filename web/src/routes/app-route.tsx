import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { applyPreferences } from '#api/apply-preferences.ts'
import { lazyScreen } from '#api/lazy-screen.ts'
import { sessionQuery } from '#api/session.ts'
import { NotAMember, NotAMemberError } from '#features/session/not-a-member.tsx'
import { SignInPage } from '#features/session/sign-in-page.tsx'
import { AppSkeleton } from '#features/shell/app-skeleton.tsx'
import { ErrorScreen } from '#features/shell/error-screens.tsx'

export interface RouterContext {
  readonly queryClient: QueryClient
}

export const root = createRootRouteWithContext<RouterContext>()()

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { to?: string; problem?: string } => ({
    ...(typeof search['to'] === 'string' && { to: search['to'] }),
    ...(typeof search['problem'] === 'string' && { problem: search['problem'] }),
  }),
  component: SignInPage,
})

/** All screens that need a session, and addresses that lead nowhere. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: lazyScreen(() => import('#features/shell/app-layout.tsx'), 'AppLayout'),
  pendingComponent: AppSkeleton,
  pendingMs: 0,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session)
      throw redirect({
        to: '/sign-in',
        search: location.publicHref === '/' ? {} : { to: location.publicHref },
      })
    applyPreferences(session.user.preferences)
    const { tenant } = session
    if (!tenant) throw new NotAMemberError(session)
    return { session: { ...session, tenant } }
  },
  errorComponent: ({ error, ...props }) =>
    error instanceof NotAMemberError ? (
      <NotAMember session={error.session} />
    ) : (
      <ErrorScreen error={error} {...props} />
    ),
})
