import type { Forest, MapTree } from './map-trees.ts'
import type { MapNode } from './map-graph.ts'

/** A box of the drawing, in rows and columns. */
export interface Box {
  readonly node: MapNode
  readonly row: number
  readonly column: number
  readonly parent: string | undefined
  /** How many hang below it directly; undefined `isOpen`: none. */
  readonly children: number
  readonly isOpen: boolean | undefined
  /** Of its brothers. */
  readonly place: number
  readonly brothers: number
}

/** In place of children beyond those that are shown. */
export interface More {
  readonly of: string
  readonly row: number
  readonly column: number
  readonly rest: number
}

export interface Layout {
  readonly boxes: readonly Box[]
  readonly more: readonly More[]
  readonly rows: number
  readonly columns: number
}

/** What is open, and how many of its children are shown where they are more than `CHILDREN_SHOWN`. */
export type Opened = ReadonlyMap<string, number>

export const CHILDREN_SHOWN = 30
/** Rows of the drawing that a screen begins with. */
const ROWS_AT_FIRST = 60

/** From the roots on, as much as is readable at first. */
export function openedAtFirst({ trees }: Forest): Opened {
  const opened = new Map<string, number>()
  let level = [...trees]
  let rows = level.length
  while (level.length > 0) {
    const next: MapTree[] = []
    for (const { node, children } of level) {
      const shown = Math.min(children.length, CHILDREN_SHOWN)
      if (shown === 0 || (opened.size > 0 && rows + shown - 1 > ROWS_AT_FIRST)) continue
      opened.set(node.id, CHILDREN_SHOWN)
      rows += shown - 1
      next.push(...children.slice(0, shown))
    }
    level = next
  }
  return opened
}

/** With everything on the way to the node open. */
export function openedTo(forest: Forest, opened: Opened, id: string): Opened {
  const next = new Map(opened)
  const children = new Map<string, readonly MapTree[]>()
  const gather = [...forest.trees]
  for (let tree = gather.pop(); tree; tree = gather.pop()) {
    children.set(tree.node.id, tree.children)
    gather.push(...tree.children)
  }
  for (
    let child = id, parent = forest.parents.get(id);
    parent !== undefined;
    child = parent, parent = forest.parents.get(parent)
  ) {
    const wanted = child
    const place = (children.get(parent) ?? []).findIndex(({ node }) => node.id === wanted)
    next.set(parent, Math.max(next.get(parent) ?? CHILDREN_SHOWN, place + 1))
  }
  return next
}

interface Placed {
  readonly tree: MapTree
  readonly column: number
  readonly parent: string | undefined
  readonly place: number
  readonly brothers: number
}

/** The trees below each other; a box stands in the row of its first child, so reading it from the top is reading the tree. */
export function layoutOf({ trees }: Forest, opened: Opened): Layout {
  const boxes: Box[] = []
  const more: More[] = []
  let row = 0
  let columns = 0
  const open: (Placed | Omit<More, 'row'>)[] = trees
    .map((tree, place) => ({ tree, column: 0, parent: undefined, place, brothers: trees.length }))
    .toReversed()
  for (let next = open.pop(); next; next = open.pop()) {
    columns = Math.max(columns, next.column + 1)
    if ('rest' in next) {
      more.push({ ...next, row })
      row += 1
      continue
    }
    const { tree, column, parent, place, brothers } = next
    const { node, children } = tree
    const shown = Math.min(opened.get(node.id) ?? 0, children.length)
    const isOpen = children.length === 0 ? undefined : shown > 0
    boxes.push({ node, row, column, parent, children: children.length, isOpen, place, brothers })
    if (shown === 0) row += 1
    const rest = children.length - shown
    if (shown > 0 && rest > 0) open.push({ of: node.id, column: column + 1, rest })
    const shownChildren = children.slice(0, shown).map((child, at) => ({
      tree: child,
      column: column + 1,
      parent: node.id,
      place: at,
      brothers: children.length,
    }))
    open.push(...shownChildren.toReversed())
  }
  return { boxes, more, rows: row, columns }
}
