import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { app } from './app-route.tsx'

const flows = createRoute({
  getParentRoute: () => app,
  path: '/flows',
  component: lazyScreen(() => import('#features/flows/flows-page.tsx'), 'FlowsPage'),
})

const flow = createRoute({
  getParentRoute: () => app,
  path: '/flows/$flowId',
  component: lazyScreen(() => import('#features/flows/flow-page.tsx'), 'FlowPage'),
})

const flowRuns = createRoute({
  getParentRoute: () => app,
  path: '/flows/runs',
  component: lazyScreen(() => import('#features/flows/runs/flow-runs-page.tsx'), 'FlowRunsPage'),
})

const newFlow = createRoute({
  getParentRoute: () => app,
  path: '/flows/new',
  component: lazyScreen(() => import('#features/flows/editor/flow-editor-page.tsx'), 'NewFlowPage'),
})

const editFlow = createRoute({
  getParentRoute: () => app,
  path: '/flows/$flowId/edit',
  component: lazyScreen(() => import('#features/flows/editor/flow-editor-page.tsx'), 'EditFlowPage'),
})

const flowRun = createRoute({
  getParentRoute: () => app,
  path: '/flows/$flowId/runs/$runId',
  component: lazyScreen(() => import('#features/flows/flow-run-page.tsx'), 'FlowRunPage'),
})

const approvals = createRoute({
  getParentRoute: () => app,
  path: '/approvals',
  component: lazyScreen(() => import('#features/flows/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

export const flowRoutes = [flows, flow, flowRuns, newFlow, editFlow, flowRun, approvals] as const
