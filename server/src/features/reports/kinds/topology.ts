import { articulationPoints } from '../links/articulation-points.ts'
import { links, unplaced, type Link } from '../links/links-store.ts'
import { Network } from '../links/network.ts'
import { drawNetwork } from '../links/network-drawing.ts'
import { drawingColumns, rowOfBox } from '../links/drawing-rows.ts'
import { Vlans } from '../links/vlans.ts'
import { topologyFigures } from './figures/topology-figures.ts'
import { layerSections } from './topology-layers.ts'
import { columns, type Collecting, type ReportKind, type Rows, type Section } from './kind.ts'

/** Kinds of links that say that two things are connected; `arp` only says that one has spoken to the other. */
const connecting: ReadonlySet<string> = new Set([
  'lldp',
  'cdp',
  'fdb',
  'vm_on_host',
  'connected_to',
  'runs_on',
])

/** Which things are connected to which, by what that is known, and which of them others hang on. */
export const topology: ReportKind = {
  type: 'topology',
  permissions: ['assets:read'],
  leads: 'single_points_of_failure',
  figures: topologyFigures,
  notes: async () => [
    'Links are what switches, routers and hypervisors reported and what people recorded; what nobody asked is missing.',
  ],
  sections(collecting) {
    const network = new Network()
    const vlans = new Vlans()
    const points = () => articulationPoints(network.links)
    return [
      linkSection(collecting, network, vlans),
      pointSection(network, points),
      drawingSection(network, points),
      ...layerSections(collecting, vlans),
      unplacedSection(collecting),
    ]
  },
}

const linkSection = (collecting: Collecting, network: Network, vlans: Vlans): Section => ({
  name: 'links',
  title: 'Links',
  isMain: true,
  pictured: 'drawings',
  columns: columns({
    a: ['text', 'Asset'],
    a_port: ['text', 'Port'],
    b: ['text', 'Other asset'],
    b_port: ['text', 'Its port'],
    kind: ['code', 'Kind'],
    vlan: ['text', 'VLAN'],
    speed: ['text', 'Speed'],
    evidence: ['text', 'Known by'],
    first_seen: ['instant', 'First seen'],
    last_seen: ['instant', 'Last seen'],
  }),
  empty: 'No links are known: no switch, router or hypervisor was asked, and none was recorded.',
  rows: linkRows(collecting, network, vlans),
})

async function* linkRows(collecting: Collecting, network: Network, vlans: Vlans): Rows {
  for await (const batch of links(collecting)) {
    for (const link of batch) {
      if (connecting.has(link.kind)) add(network, link)
      if (link.vlan !== null && link.b_id !== null)
        vlans.addDevice(link.a_site, Number(link.vlan), { on: link.a, device: link.b_id })
    }
    yield batch.map((it) => ({ ...it, speed: speedText(it.bits_per_second) }))
  }
}

const UNITS = [
  [1_000_000_000, 'Gbit/s'],
  [1_000_000, 'Mbit/s'],
  [1_000, 'kbit/s'],
] as const

/** `10 Gbit/s`; null: not told. */
export function speedText(bits: number | null): string | null {
  if (bits === null) return null
  const [size, unit] = UNITS.find(([least]) => bits >= least) ?? [1, 'bit/s']
  return `${Math.round((10 * bits) / size) / 10} ${unit}`
}

/** The other end has the site of the first where it is no asset. */
function add(network: Network, { a_id, a, a_type, a_site, b_id, b, b_type, b_site }: Link): void {
  network.add(
    [a_id, { name: a, type: a_type, site: a_site }],
    [b_id ?? `text:${b}`, { name: b, type: b_type, site: b_id === null ? a_site : b_site }],
  )
}

type Points = () => ReturnType<typeof articulationPoints>

const pointSection = (network: Network, points: Points): Section => ({
  name: 'single_points_of_failure',
  title: 'Single points of failure',
  columns: columns({ name: ['text', 'Asset'], cuts_off: ['integer', 'Cuts off'] }),
  note: 'Without one of these, so many others lose their way to the largest part that remains.',
  empty: 'No link hangs on one thing alone.',
  chart: { kind: 'bars', label: 'name', value: 'cuts_off' },
  rows: pointRows(network, points),
})

async function* pointRows({ nodes }: Network, points: Points): Rows {
  yield points().map(({ node, cutsOff }) => ({ name: nodes.get(node)?.name ?? node, cuts_off: cutsOff }))
}

const drawingSection = (network: Network, points: Points): Section => ({
  name: 'drawings',
  title: 'Drawings',
  layout: 'drawings',
  columns: drawingColumns,
  note: 'Each site for itself. A full line leads to what hangs on a box, a dashed one across; what has a single link is listed in the box that it hangs on.',
  empty: 'Without links there is nothing to draw.',
  rows: drawingRows(network, points),
})

async function* drawingRows(network: Network, points: Points): Rows {
  const cutsOff = new Map(points().map((it) => [it.node, it.cutsOff]))
  yield drawNetwork(network, cutsOff).map(rowOfBox)
}

const unplacedSection = (collecting: Collecting): Section => ({
  name: 'unplaced',
  title: 'Devices without a link',
  columns: columns({
    name: ['text', 'Name'],
    device_type: ['code', 'Device type'],
    ip: ['text', 'IP address'],
    last_seen: ['instant', 'Last seen'],
  }),
  note: 'At most 5,000.',
  empty: 'Every device has a link.',
  rows: unplaced(collecting),
})
