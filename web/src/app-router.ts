import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { tenantRewrite } from '#api/tenant-url.ts'
import { ErrorScreen, NotFound } from '#features/shell/error-screens.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { routeTree } from './routes/routes.tsx'

/** `tenant`: slug of the organisation in the URL, if any. */
export const createAppRouter = (queryClient: QueryClient, tenant: string | undefined) =>
  createRouter({
    routeTree,
    rewrite: tenantRewrite(tenant),
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: SkeletonBlock,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
