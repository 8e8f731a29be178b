import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Minus, Plus, Search } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import type { TopologyMapData } from '#api/generated/topology.ts'
import { Panel } from '#ui/panel.tsx'
import type { Preview } from '#ui/table/use-address-value.ts'
import { graphFor, isSiteBox, siteOfBox, type MapNode } from './map-graph.ts'
import { MapBox } from './map-box.tsx'
import {
  CHILDREN_SHOWN,
  layoutOf,
  openedAtFirst,
  openedTo,
  type Box,
  type Layout,
  type Opened,
} from './map-layout.ts'
import { MapLines, COLUMN, ROW } from './map-lines.tsx'
import { forestOf, type Forest, type MapTree } from './map-trees.ts'
import styles from './topology-page.module.css'
import { useTreeKeyboard } from './use-tree-keyboard.ts'

interface DrawnMapProps {
  readonly map: TopologyMapData['topologyMap']
  readonly site: string | undefined
  readonly preview: Preview
}

const ZOOMS = [0.5, 0.65, 0.8, 1, 1.25] as const

/** Trees of boxes, which open and close; as a tree it is read by screen readers and walked through by arrow keys. */
export function DrawnMap({ map, site, preview }: DrawnMapProps) {
  const navigate = useNavigate()
  const forest = useMemo(() => forestOf(graphFor(map, site)), [map, site])
  const [opened, setOpened] = useState<Opened>(() => openedAtFirst(forest))
  const [zoom, setZoom] = useState(3)
  const layout = useMemo(() => layoutOf(forest, opened), [forest, opened])
  const open = (id: string, shown = CHILDREN_SHOWN) => setOpened(new Map(opened).set(id, shown))
  const close = (id: string) => setOpened(new Map([...opened].filter(([it]) => it !== id)))
  const choose = (node: MapNode) => {
    if (isSiteBox(node.id))
      void navigate({ to: '.', search: (before: object) => ({ ...before, site: siteOfBox(node.id) }) })
    else preview.open(node.id)
  }
  const tree = useRef<HTMLDivElement>(null)
  const { current, setCurrent, onKeyDown } = useTreeKeyboard({ tree, layout, open, close, choose })
  const find = (id: string) => {
    setOpened(openedTo(forest, opened, id))
    setCurrent(id)
    if (!isSiteBox(id)) preview.open(id)
  }
  return (
    <>
      <Tools forest={forest} zoom={zoom} onZoom={setZoom} onFind={find} onOpened={setOpened} />
      <Drawing
        scale={ZOOMS[zoom] ?? 1}
        layout={layout}
        forest={forest}
        preview={preview}
        tree={tree}
        onKeyDown={onKeyDown}
      >
        <Boxes
          layout={layout}
          current={current}
          chosen={preview.opened}
          onChoose={(node) => {
            setCurrent(node.id)
            choose(node)
          }}
          onToggle={({ node, isOpen }) => (isOpen ? close(node.id) : open(node.id))}
          onMore={(of) => open(of, (opened.get(of) ?? 0) + CHILDREN_SHOWN)}
        />
      </Drawing>
    </>
  )
}

interface ToolsProps {
  readonly forest: Forest
  readonly zoom: number
  readonly onZoom: (zoom: number) => void
  readonly onFind: (id: string) => void
  readonly onOpened: (opened: Opened) => void
}

const Tools = ({ forest, zoom, onZoom, onFind, onOpened }: ToolsProps) => (
  <div className={styles['tools']}>
    <Finder forest={forest.trees} onFind={onFind} />
    <Button variant="default" onClick={() => onOpened(allOpened(forest.trees))}>
      Open all
    </Button>
    <Button variant="default" onClick={() => onOpened(new Map())}>
      Close all
    </Button>
    <Zoom zoom={zoom} onZoom={onZoom} />
    <Legend />
  </div>
)

interface DrawingProps {
  readonly tree: RefObject<HTMLDivElement | null>
  readonly scale: number
  readonly layout: Layout
  readonly forest: Forest
  readonly preview: Preview
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly children: ReactNode
}

function Drawing({ tree, scale, layout, forest, preview, onKeyDown, children }: DrawingProps) {
  const [height, width] = [layout.rows * ROW, layout.columns * COLUMN]
  return (
    <Panel isFlush>
      <div className={styles['scroll']}>
        <div style={{ height: height * scale, width: width * scale }}>
          {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus */}
          <div
            ref={tree}
            role="tree"
            aria-label="Map of the network"
            className={styles['map']}
            style={{ height, width, transform: `scale(${scale})` }}
            onKeyDown={onKeyDown}
          >
            <MapLines layout={layout} forest={forest} preview={preview} />
            {children}
          </div>
        </div>
      </div>
    </Panel>
  )
}

interface BoxesProps {
  readonly layout: Layout
  readonly current: string | undefined
  readonly chosen: string | undefined
  readonly onChoose: (node: MapNode) => void
  readonly onToggle: (box: Box) => void
  readonly onMore: (of: string) => void
}

const Boxes = ({ layout: { boxes, more }, current, chosen, onChoose, onToggle, onMore }: BoxesProps) => (
  <>
    {boxes.map((box) => (
      <MapBox
        key={box.node.id}
        box={box}
        isCurrent={box.node.id === current}
        isChosen={box.node.id === chosen}
        onChoose={() => onChoose(box.node)}
        onToggle={() => onToggle(box)}
      />
    ))}
    {more.map(({ of, row, column, rest }) => (
      <button
        key={of}
        type="button"
        className={styles['more']}
        style={{ left: column * COLUMN, top: row * ROW }}
        onClick={() => onMore(of)}
      >
        {rest} more
      </button>
    ))}
  </>
)

function allOpened(trees: readonly MapTree[]): Opened {
  const opened = new Map<string, number>()
  const open = [...trees]
  for (let tree = open.pop(); tree; tree = open.pop()) {
    if (tree.children.length > 0)
      opened.set(tree.node.id, Math.max(CHILDREN_SHOWN, opened.get(tree.node.id) ?? 0))
    open.push(...tree.children.slice(0, CHILDREN_SHOWN))
  }
  return opened
}

interface FinderProps {
  readonly forest: readonly MapTree[]
  readonly onFind: (id: string) => void
}

/** Enter goes to the first box whose name has the words, and on to the next. */
function Finder({ forest, onFind }: FinderProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => namesWith(forest, text), [forest, text])
  return (
    <form
      role="search"
      className={styles['finder']}
      onSubmit={(event) => {
        event.preventDefault()
        const id = found[at % Math.max(1, found.length)]
        if (id === undefined) return
        onFind(id)
        setAt(at + 1)
      }}
    >
      <TextInput
        type="search"
        aria-label="Find on the map"
        placeholder="Find a device, Enter for the next"
        leftSection={<Search size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
      />
      <span role="status" className="quiet">
        {text.trim() !== '' && (found.length === 0 ? 'None is drawn' : `${found.length} found`)}
      </span>
    </form>
  )
}

function namesWith(forest: readonly MapTree[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const found: string[] = []
  const open = forest.toReversed()
  for (let tree = open.pop(); tree; tree = open.pop()) {
    if (tree.node.name.toLowerCase().includes(wanted)) found.push(tree.node.id)
    open.push(...tree.children.toReversed())
  }
  return found
}

interface ZoomProps {
  readonly zoom: number
  readonly onZoom: (zoom: number) => void
}

const Zoom = ({ zoom, onZoom }: ZoomProps) => (
  <span className={styles['zoom']}>
    <ActionIcon
      variant="default"
      size={30}
      aria-label="Smaller"
      disabled={zoom === 0}
      onClick={() => onZoom(zoom - 1)}
    >
      <Minus size={14} aria-hidden />
    </ActionIcon>
    <ActionIcon
      variant="default"
      size={30}
      aria-label="Larger"
      disabled={zoom === ZOOMS.length - 1}
      onClick={() => onZoom(zoom + 1)}
    >
      <Plus size={14} aria-hidden />
    </ActionIcon>
  </span>
)

const Legend = () => (
  <ul className={styles['legend']} aria-label="Lines">
    {[
      ['told', 'told by a neighbour, or an address'],
      ['seen', 'seen in a table'],
      ['recorded', 'recorded, or runs on'],
      ['across', 'also connected'],
    ].map(([kind, words]) => (
      <li key={kind}>
        <svg width="26" height="8" aria-hidden>
          <line
            x1="0"
            y1="4"
            x2="26"
            y2="4"
            data-kind={kind}
            data-across={kind === 'across' || undefined}
            className={styles['line']}
          />
        </svg>
        {words}
      </li>
    ))}
  </ul>
)
