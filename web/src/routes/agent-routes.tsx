import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { readListSearch } from '#features/lists/list-search.ts'
import { app } from './app-route.tsx'

const agents = createRoute({
  getParentRoute: () => app,
  path: '/agents',
  validateSearch: readListSearch,
  component: lazyScreen(() => import('#features/agents/agents-page.tsx'), 'AgentsPage'),
})

const enrolmentTokens = createRoute({
  getParentRoute: () => app,
  path: '/agents/tokens',
  component: lazyScreen(() => import('#features/agents/enrolment-tokens-page.tsx'), 'EnrolmentTokensPage'),
})

export const agentRoutes = [agents, enrolmentTokens] as const
