import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { readListSearch } from '#features/lists/list-search.ts'
import { app } from './app-route.tsx'

const compliance = createRoute({
  getParentRoute: () => app,
  path: '/compliance',
  component: lazyScreen(() => import('#features/compliance/frameworks-page.tsx'), 'FrameworksPage'),
})

const framework = createRoute({
  getParentRoute: () => app,
  path: '/compliance/$framework',
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

const checks = createRoute({
  getParentRoute: () => app,
  path: '/compliance/checks',
  validateSearch: readListSearch,
  component: lazyScreen(() => import('#features/compliance/lists/checks-page.tsx'), 'ChecksPage'),
})

const controls = createRoute({
  getParentRoute: () => app,
  path: '/compliance/controls',
  validateSearch: readListSearch,
  component: lazyScreen(() => import('#features/compliance/lists/controls-page.tsx'), 'ControlsPage'),
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

export const complianceRoutes = [
  compliance,
  framework,
  control,
  check,
  checks,
  controls,
  exceptions,
  statement,
] as const
