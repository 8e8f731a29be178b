import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { app } from './app-route.tsx'

const discoveries = createRoute({
  getParentRoute: () => app,
  path: '/discoveries',
  component: lazyScreen(() => import('#features/discoveries/discoveries-page.tsx'), 'DiscoveriesPage'),
})

const discoveryRun = createRoute({
  getParentRoute: () => app,
  path: '/discoveries/$runId',
  component: lazyScreen(() => import('#features/discoveries/run-page.tsx'), 'DiscoveryRunPage'),
})

const discoveryRuns = createRoute({
  getParentRoute: () => app,
  path: '/discoveries/runs',
  component: lazyScreen(() => import('#features/discoveries/runs-page.tsx'), 'DiscoveryRunsPage'),
})

export const discoveryRoutes = [discoveries, discoveryRuns, discoveryRun] as const
