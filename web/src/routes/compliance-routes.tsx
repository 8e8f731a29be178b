import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { readControlSearch } from '#features/compliance/control-search-params.ts'
import { app } from './app-route.tsx'

const compliance = createRoute({
  getParentRoute: () => app,
  path: '/compliance',
  component: lazyScreen(() => import('#features/compliance/frameworks-page.tsx'), 'FrameworksPage'),
})

const framework = createRoute({
  getParentRoute: () => app,
  path: '/compliance/$framework',
  validateSearch: readControlSearch,
  component: lazyScreen(() => import('#features/compliance/framework-page.tsx'), 'FrameworkPage'),
})

const control = createRoute({
  getParentRoute: () => app,
  path: '/compliance/$framework/controls/$controlId',
  component: lazyScreen(() => import('#features/compliance/control-page.tsx'), 'ControlPage'),
})

const check = createRoute({
  getParentRoute: () => app,
  path: '/compliance/checks/$checkId',
  component: lazyScreen(() => import('#features/compliance/check-page.tsx'), 'CheckPage'),
})

const exceptions = createRoute({
  getParentRoute: () => app,
  path: '/compliance/exceptions',
  component: lazyScreen(
    () => import('#features/compliance/exceptions/exceptions-page.tsx'),
    'ExceptionsPage',
  ),
})

const statement = createRoute({
  getParentRoute: () => app,
  path: '/compliance/statements/$statementId',
  component: lazyScreen(() => import('#features/compliance/statements/statement-page.tsx'), 'StatementPage'),
})

export const complianceRoutes = [compliance, framework, control, check, exceptions, statement] as const
