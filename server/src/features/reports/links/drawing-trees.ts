/** Trees of a network that each fit on a page, and how much room a page has. */

/** What a page of the larger size has room for. */
export const ROWS_MAX = 16
export const COLUMNS_MAX = 6
/** Of a page; more cannot be taken in at a glance. */
export const BOXES_MAX = 100

/** A box and what hangs on it. */
export interface Tree {
  readonly node: string
  readonly children: readonly Tree[]
  /** What hangs on it is a tree of its own. */
  readonly isCut: boolean
  /** What hangs on it did not fit into one tree: this has the rest. */
  readonly isContinued: boolean
  readonly rows: number
  readonly columns: number
  readonly boxes: number
}

/**
 * Spans each connected part of the graph by a tree that begins where `isBefore` puts a node first, and cuts the trees so
 * that each fits on a page. `neighbours` are in the order in which they are drawn; all of them are keys of the map.
 */
export function pageTrees(
  neighbours: ReadonlyMap<string, readonly string[]>,
  isBefore: (a: string, b: string) => boolean,
): Tree[] {
  const parts = partsOf(neighbours)
  return parts.flatMap((part) => {
    const root = part.reduce((first, it) => (isBefore(it, first) ? it : first))
    return cutTrees(spanningTree(root, neighbours))
  })
}

function partsOf(neighbours: ReadonlyMap<string, readonly string[]>): string[][] {
  const seen = new Set<string>()
  return [...neighbours.keys()].flatMap((start) => {
    if (seen.has(start)) return []
    const part = [start]
    seen.add(start)
    for (const node of part)
      for (const other of neighbours.get(node) ?? []) {
        if (seen.has(other)) continue
        seen.add(other)
        part.push(other)
      }
    return [part]
  })
}

/** By shortest paths; in the order in which nodes were reached. */
function spanningTree(
  root: string,
  neighbours: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
  const children = new Map<string, string[]>([[root, []]])
  const order = [root]
  for (const node of order)
    for (const other of neighbours.get(node) ?? []) {
      if (children.has(other)) continue
      children.set(other, [])
      children.get(node)?.push(other)
      order.push(other)
    }
  return children
}

const leaf = (node: string, isCut: boolean): Tree => ({
  node,
  children: [],
  isCut,
  isContinued: false,
  rows: 1,
  columns: 1,
  boxes: 1,
})

function treeOf(node: string, children: readonly Tree[], isContinued = false): Tree {
  if (children.length === 0) return { ...leaf(node, false), isContinued }
  return {
    node,
    children,
    isCut: false,
    isContinued,
    rows: children.reduce((sum, it) => sum + it.rows, 0),
    columns: 1 + Math.max(...children.map(({ columns }) => columns)),
    boxes: 1 + children.reduce((sum, it) => sum + it.boxes, 0),
  }
}

/** From the leaves up, without recursion: parts of networks may be chains of thousands. The tree of the root comes first. */
function cutTrees(children: ReadonlyMap<string, readonly string[]>): Tree[] {
  const made = new Map<string, Tree>()
  const done: Tree[][] = []
  for (const node of [...children.keys()].reverse()) {
    const below = (children.get(node) ?? []).flatMap((it) => made.get(it) ?? [])
    const fitting = below.map((it) => {
      if (it.columns < COLUMNS_MAX) return it
      done.push([it])
      return leaf(it.node, true)
    })
    const chunks = inChunks(fitting)
    if (chunks.length < 2) made.set(node, treeOf(node, fitting))
    else {
      done.push(chunks.map((chunk, at) => treeOf(node, chunk, at > 0)))
      made.set(node, leaf(node, true))
    }
    for (const it of below) made.delete(it.node)
  }
  const [root] = made.values()
  // that of a root which was cut is among the others already
  return [...(root && !root.isCut ? [root] : []), ...done.reverse().flat()]
}

function inChunks(trees: readonly Tree[]): Tree[][] {
  const chunks: Tree[][] = []
  let [rows, boxes] = [Infinity, Infinity]
  for (const tree of trees) {
    if (rows + tree.rows > ROWS_MAX || boxes + tree.boxes >= BOXES_MAX) {
      chunks.push([])
      ;[rows, boxes] = [0, 0]
    }
    chunks.at(-1)?.push(tree)
    rows += tree.rows
    boxes += tree.boxes
  }
  return chunks
}
