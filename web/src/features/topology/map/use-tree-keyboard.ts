import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { MapNode } from './map-graph.ts'
import type { Layout } from './map-layout.ts'

interface TreeKeyboard {
  readonly tree: RefObject<HTMLElement | null>
  readonly layout: Layout
  readonly open: (id: string) => void
  readonly close: (id: string) => void
  readonly choose: (node: MapNode) => void
}

/** The keys of a tree as the ARIA practices have them; j and k go down and up as in lists. */
export function useTreeKeyboard({ tree, layout, open, close, choose }: TreeKeyboard) {
  const [chosen, setCurrent] = useState<string>()
  const { boxes } = layout
  const current = boxes.some(({ node }) => node.id === chosen) ? chosen : boxes[0]?.node.id
  const isMoved = useRef(false)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    tree.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus()
  }, [current, tree, boxes])
  const go = (id: string | undefined) => {
    if (id === undefined) return
    isMoved.current = true
    setCurrent(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = boxes.findIndex(({ node }) => node.id === current)
    const box = boxes[at]
    if (!box) return
    const { id } = box.node
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(boxes[at + 1]?.node.id),
      j: () => go(boxes[at + 1]?.node.id),
      ArrowUp: () => go(boxes[at - 1]?.node.id),
      k: () => go(boxes[at - 1]?.node.id),
      ArrowRight: () => (box.isOpen === false ? open(id) : box.isOpen && go(boxes[at + 1]?.node.id)),
      ArrowLeft: () => (box.isOpen ? close(id) : go(box.parent)),
      Home: () => go(boxes[0]?.node.id),
      End: () => go(boxes.at(-1)?.node.id),
      Enter: () => choose(box.node),
      ' ': () => choose(box.node),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return { current, setCurrent: go, onKeyDown }
}
