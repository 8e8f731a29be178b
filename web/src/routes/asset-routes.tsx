import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { readAssetSearch } from '#features/assets/list/asset-search-params.ts'
import { readAssetTab } from '#features/assets/page/asset-tab.ts'
import { readDuplicateSearch } from '#features/duplicates/duplicate-search-params.ts'
import { readTopologySearch } from '#features/topology/map/topology-search-params.ts'
import { readChangeSearch } from '#features/changes/change-search-params.ts'
import { app } from './app-route.tsx'

const assets = createRoute({
  getParentRoute: () => app,
  path: '/assets',
  validateSearch: readAssetSearch,
  component: lazyScreen(() => import('#features/assets/list/assets-page.tsx'), 'AssetsPage'),
})

const asset = createRoute({
  getParentRoute: () => app,
  path: '/assets/$assetId',
  validateSearch: readAssetTab,
  component: lazyScreen(() => import('#features/assets/page/asset-page.tsx'), 'AssetPage'),
})

const groups = createRoute({
  getParentRoute: () => app,
  path: '/groups',
  component: lazyScreen(() => import('#features/assets/groups/groups-page.tsx'), 'GroupsPage'),
})

const archive = createRoute({
  getParentRoute: () => app,
  path: '/archive',
  component: lazyScreen(() => import('#features/assets/archive/archive-page.tsx'), 'ArchivePage'),
})

const duplicates = createRoute({
  getParentRoute: () => app,
  path: '/duplicates',
  validateSearch: readDuplicateSearch,
  component: lazyScreen(() => import('#features/duplicates/duplicates-page.tsx'), 'DuplicatesPage'),
})

const changes = createRoute({
  getParentRoute: () => app,
  path: '/changes',
  validateSearch: readChangeSearch,
  component: lazyScreen(() => import('#features/changes/changes-page.tsx'), 'ChangesPage'),
})

const topology = createRoute({
  getParentRoute: () => app,
  path: '/topology',
  validateSearch: readTopologySearch,
  component: lazyScreen(() => import('#features/topology/map/topology-page.tsx'), 'TopologyPage'),
})

export const assetRoutes = [changes, topology, assets, asset, groups, archive, duplicates] as const
