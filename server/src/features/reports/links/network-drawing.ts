import { pageTrees, BOXES_MAX, ROWS_MAX, type Tree } from './drawing-trees.ts'
import type { Network, NetworkNode } from './network.ts'

/** A box of a drawing of a network; the boxes of a drawing stand in the order in which they are read. */
export interface DrawnBox {
  /** 1 is the first. */
  readonly drawing: number
  readonly title: string
  /** 1 is the first of the drawing. */
  readonly box: number
  /** The box of the same drawing that it hangs on. */
  readonly parent: number | null
  /** From 0; rows are halved where a box stands between two that hang on it. */
  readonly column: number
  readonly row: number
  readonly name: string
  readonly type: string | null
  /** `48 devices: 40 workstation, 8 printer`; null: nothing hangs on it alone. */
  readonly holds: string | null
  readonly members: string | null
  /** Without it, so many others lose their way; null: none. */
  readonly cutsOff: number | null
  /** The drawing that has what hangs on it. */
  readonly goesOn: number | null
  /** Other boxes of the same drawing that it is connected to, each pair at the first of them. */
  readonly crossings: readonly number[]
  /** What it is connected to in other drawings. */
  readonly elsewhere: string | null
}

/** They pass on what others send; everything else at the end of a single link is listed in the box of what it hangs on. */
const PASSING = new Set(['router', 'switch', 'firewall', 'gateway', 'access_point', 'load_balancer'])
const NAMES_MAX = 12
const ELSEWHERE_MAX = 4

/**
 * Drawings of a network, each small enough for a page: one for each site, or more where one is too large. Networks are
 * nearly trees, so each part is drawn as one, and links beyond it are drawn across. `cutsOff`: by the id of a node.
 */
export function drawNetwork(network: Network, cutsOff: ReadonlyMap<string, number>): DrawnBox[] {
  const all = network.neighbours()
  const leaves = leavesOf(network, all)
  const boxes = new Map([...all].filter(([id]) => !leaves.has(id)))
  const links = new Map([...boxes].map(([id, others]) => [id, others.filter((it) => boxes.has(it))]))
  const weight = (id: string) => [cutsOff.get(id) ?? 0, all.get(id)?.length ?? 0] as const
  const isBefore = (a: string, b: string) => {
    const [one, other] = [weight(a), weight(b)]
    return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1])
  }
  const sheets = sitesOf(network, boxes.keys()).flatMap(({ title, ids }) => {
    const own = new Map(
      [...ids].map((id) => [id, (links.get(id) ?? []).filter((it) => ids.has(it))] as const),
    )
    const packed = packedOnPages(pageTrees(own, isBefore))
    return packed.map((trees, at) => ({
      title: packed.length > 1 ? `${title}, part ${at + 1} of ${packed.length}` : title,
      trees,
    }))
  })
  const places = placesOf(sheets.map(({ trees }) => trees))
  const drawing = { network, links, leaves: grouped(leaves), cutsOff, ...places }
  return sheets.flatMap(({ title, trees }, at) => boxesOf(drawing, trees, { title, drawing: at + 1 }))
}

/** By the id of a leaf: what it hangs on. */
function leavesOf(
  { nodes }: Network,
  neighbours: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const leaves = new Map<string, string>()
  for (const [id, [only, ...more]] of neighbours) {
    if (only === undefined || more.length > 0 || leaves.has(only)) continue
    if (!PASSING.has(nodes.get(id)?.type ?? '')) leaves.set(id, only)
  }
  return leaves
}

function grouped(leaves: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [id, on] of leaves) {
    const group = groups.get(on)
    if (group) group.push(id)
    else groups.set(on, [id])
  }
  return groups
}

/** In the order of their names; what has no known site comes last. */
function sitesOf({ nodes }: Network, ids: Iterable<string>): { title: string; ids: Set<string> }[] {
  const sites = Map.groupBy(ids, (id) => nodes.get(id)?.site ?? null)
  const named = [...sites.keys()].filter((it) => it !== null).sort()
  const unnamed = named.length === 0 ? 'Network' : 'Without a known site'
  return [...named, null].flatMap((site) => {
    const found = sites.get(site)
    return found ? [{ title: site ?? unnamed, ids: new Set(found) }] : []
  })
}

/** In their order, so that what belongs together stays near. */
function packedOnPages(trees: readonly Tree[]): Tree[][] {
  const pages: Tree[][] = []
  let [rows, boxes] = [Infinity, Infinity]
  for (const tree of trees) {
    if (rows + tree.rows > ROWS_MAX || boxes + tree.boxes > BOXES_MAX) {
      pages.push([])
      ;[rows, boxes] = [0, 0]
    }
    pages.at(-1)?.push(tree)
    rows += tree.rows
    boxes += tree.boxes
  }
  return pages
}

/** In which drawing each node is, with what hangs on it; and what it hangs on, there or in another. */
function placesOf(pages: readonly (readonly Tree[])[]): Pick<Drawing, 'home' | 'parents'> {
  const [home, parents] = [new Map<string, number>(), new Map<string, string>()]
  const visit = (tree: Tree, drawing: number): void => {
    if (!tree.isCut && !tree.isContinued) home.set(tree.node, drawing)
    for (const child of tree.children) {
      parents.set(child.node, tree.node)
      visit(child, drawing)
    }
  }
  pages.forEach((trees, at) => trees.forEach((tree) => visit(tree, at + 1)))
  return { home, parents }
}

interface Drawing {
  readonly network: Network
  readonly links: ReadonlyMap<string, readonly string[]>
  readonly leaves: ReadonlyMap<string, readonly string[]>
  readonly cutsOff: ReadonlyMap<string, number>
  readonly home: ReadonlyMap<string, number>
  readonly parents: ReadonlyMap<string, string>
}

interface Placed {
  readonly tree: Tree
  readonly box: number
  readonly parent: Placed | undefined
  readonly column: number
  row: number
}

function boxesOf(
  drawing: Drawing,
  trees: readonly Tree[],
  { title, drawing: number }: { readonly title: string; readonly drawing: number },
): DrawnBox[] {
  const placed = placedOn(trees)
  const numbers = new Map(placed.filter(({ tree }) => !tree.isCut).map((it) => [it.tree.node, it]))
  const { network, leaves, cutsOff, home } = drawing
  return placed.map((it): DrawnBox => {
    const { tree, box, parent, column, row } = it
    const { node, isCut, isContinued } = tree
    const { name, type } = network.nodes.get(node) ?? { name: node, type: null }
    const own = isCut || isContinued ? [] : (leaves.get(node) ?? [])
    const others = isCut || isContinued ? [] : crossingsOf(drawing, it)
    const here = others.flatMap((id) => numbers.get(id) ?? [])
    const away = others.filter((id) => !numbers.has(id))
    return {
      drawing: number,
      title,
      box,
      parent: parent?.box ?? null,
      column,
      row,
      name: isContinued ? `${name} (continued)` : name,
      type,
      holds: own.length === 0 ? null : holdsText(own.flatMap((id) => network.nodes.get(id) ?? [])),
      members:
        own.length === 0
          ? null
          : listed(
              own.map((id) => network.nodes.get(id)?.name ?? id),
              NAMES_MAX,
            ),
      cutsOff: cutsOff.get(node) ?? null,
      goesOn: isCut ? (home.get(node) ?? null) : null,
      crossings: here.map((other) => other.box).filter((other) => other > box),
      elsewhere:
        away.length === 0
          ? null
          : listed(
              away.map((id) => `${network.nodes.get(id)?.name ?? id} in drawing ${home.get(id) ?? 0}`),
              ELSEWHERE_MAX,
            ),
    }
  })
}

/** In the order of reading; a box stands in the middle of those that hang on it. A tree is at most a page wide. */
function placedOn(trees: readonly Tree[]): Placed[] {
  const placed: Placed[] = []
  let next = 0
  const place = (tree: Tree, parent: Placed | undefined): number => {
    const column = parent === undefined ? 0 : parent.column + 1
    const own: Placed = { tree, box: placed.length + 1, parent, column, row: next }
    placed.push(own)
    const rows = tree.children.map((child) => place(child, own))
    if (rows.length === 0) next += 1
    else own.row = ((rows[0] ?? 0) + (rows.at(-1) ?? 0)) / 2
    return own.row
  }
  for (const tree of trees) place(tree, undefined)
  return placed
}

/** What it is connected to beside what it hangs on, unless that is in another drawing, and what hangs on it. */
function crossingsOf({ links, parents }: Drawing, { tree: { node }, parent }: Placed): string[] {
  const above = parents.get(node)
  return (links.get(node) ?? []).filter(
    (id) => parents.get(id) !== node && (id !== above || parent === undefined),
  )
}

function holdsText(nodes: readonly NetworkNode[]): string {
  const counts = new Map<string, number>()
  for (const { type } of nodes) {
    const word = (type ?? 'not in the inventory').replaceAll('_', ' ')
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const parts = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const said = parts.map(([word, n]) => `${n} ${word}`).join(', ')
  return parts.length === 1 ? said : `${nodes.length} devices: ${said}`
}

function listed(names: readonly string[], most: number): string {
  const rest = names.length - most
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
