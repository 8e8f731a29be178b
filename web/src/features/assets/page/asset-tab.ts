/** The parts of an asset's page. Each has an address of its own; the overview stands in the plain one. */
export const ASSET_TABS = {
  overview: 'Overview',
  software: 'Software',
  findings: 'Findings',
  compliance: 'Compliance',
  network: 'Network',
  identity: 'Identity',
  changes: 'Changes',
} as const

export type AssetTab = keyof typeof ASSET_TABS

export interface AssetTabSearch {
  readonly tab?: Exclude<AssetTab, 'overview'> | undefined
}

/** Parses the URL search parameters of an asset's page; an unknown tab is the overview. */
export function readAssetTab({ tab }: Record<string, unknown>): AssetTabSearch {
  return typeof tab === 'string' && isShown(tab) ? { tab } : {}
}

const isShown = (tab: string): tab is Exclude<AssetTab, 'overview'> =>
  tab !== 'overview' && Object.hasOwn(ASSET_TABS, tab)
