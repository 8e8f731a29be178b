/** The tiles of the overview in the order in which they come, by the names that layouts are stored with. */
export const TILES = [
  {
    id: 'first-steps',
    title: 'First steps',
    permission: 'assets:read',
    isWide: true,
    isOfAllAssets: true,
    isOfRealOnes: true,
  },
  { id: 'since-yesterday', title: 'Since yesterday', permission: 'assets:read', isWide: true },
  { id: 'waiting', title: 'Waits for you', permission: 'assets:read' },
  { id: 'trends', title: 'Trends', permission: 'assets:read', isOfAllAssets: true },
  { id: 'risks', title: 'Risks', permission: 'vulnerabilities:read', isWide: true },
  { id: 'coverage', title: 'Coverage', permission: 'assets:read' },
  { id: 'failed-scans', title: 'Failed scans', permission: 'scans:read', isOfAllAssets: true },
  { id: 'end-of-life', title: 'End of life', permission: 'assets:read' },
  { id: 'feeds', title: 'Feeds', permission: 'feeds:read' },
  { id: 'last-seen', title: 'When last seen', permission: 'assets:read', isWide: true },
  { id: 'by-type', title: 'By type', permission: 'assets:read' },
  { id: 'by-source', title: 'By source', permission: 'assets:read' },
  { id: 'newest', title: 'Newest assets', permission: 'assets:read' },
] as const satisfies readonly TileOf[]

interface TileOf {
  readonly id: string
  readonly title: string
  readonly permission: string
  /** As wide as the page. */
  readonly isWide?: boolean
  /** It counts all assets of the organisation, so it is not for roles that are limited to some. */
  readonly isOfAllAssets?: boolean
  /** Nothing for a demo. */
  readonly isOfRealOnes?: boolean
}

/** Of a saved view, by its id. */
type ViewTileId = `view-${string}`
export type TileId = (typeof TILES)[number]['id'] | ViewTileId
export interface Tile extends TileOf {
  readonly id: TileId
}

export const viewOf = (id: TileId): string | undefined =>
  id.startsWith('view-') ? id.slice('view-'.length) : undefined

/** The tiles with one for each saved view of assets or findings, which come last. */
export const withViews = (
  tiles: readonly Tile[],
  views: readonly { readonly id: string; readonly name: string; readonly subject: string }[],
): readonly Tile[] => [
  ...tiles,
  ...views.flatMap(({ id, name, subject }) => {
    const permission = OF_VIEWS.get(subject)
    return permission === undefined ? [] : [{ id: `view-${id}`, title: name, permission } as const]
  }),
]

/** Of which lists views can be tiles, and who may read those. */
const OF_VIEWS: ReadonlyMap<string, string> = new Map([
  ['asset', 'assets:read'],
  ['finding', 'vulnerabilities:read'],
])

/** Tiles of views are shown where somebody asked for them, all others unless somebody hid them. */
export const isShown = (layout: Layout, id: string): boolean =>
  !layout.hidden.includes(id) && (viewOf(id as TileId) === undefined || layout.tiles.includes(id))

export interface Layout {
  readonly tiles: readonly string[]
  readonly hidden: readonly string[]
}

/** Tiles that the layout does not name keep their place behind those that it does. */
export function arranged(tiles: readonly Tile[], layout: Layout): readonly Tile[] {
  const rank = ({ id }: Tile) => {
    const at = layout.tiles.indexOf(id)
    return at === -1 ? layout.tiles.length : at
  }
  return tiles.toSorted((a, b) => rank(a) - rank(b))
}

/** The layout with the tile one place further up or down. */
export function moved(tiles: readonly Tile[], layout: Layout, id: string, by: -1 | 1): Layout {
  const order: readonly string[] = arranged(tiles, layout).map((it) => it.id)
  const [from, to] = [order.indexOf(id), order.indexOf(id) + by]
  const other = order[to]
  if (other === undefined) return layout
  const next = order.with(to, id).with(from, other)
  // to name the tile of a view is to show it
  return { ...layout, tiles: next.filter((it) => !it.startsWith('view-') || isShown(layout, it)) }
}

export function toggled(layout: Layout, id: string): Layout {
  const { tiles, hidden } = layout
  if (id.startsWith('view-')) {
    const rest = tiles.filter((it) => it !== id)
    return isShown(layout, id) ? { ...layout, tiles: rest } : { ...layout, tiles: [id, ...rest] }
  }
  return {
    ...layout,
    hidden: hidden.includes(id) ? hidden.filter((it) => it !== id) : [...hidden, id],
  }
}
