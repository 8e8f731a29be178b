import { articulationPoints } from '../links/articulation-points.ts'
import { links, unplaced, type Link } from '../links/links-store.ts'
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
  notes: async () => [
    'Links are what switches, routers and hypervisors reported and what people recorded; what nobody asked is missing.',
    'The speed of links is not collected yet. Links are listed, and not drawn.',
  ],
  sections(collecting) {
    const network = new Network()
    return [linkSection(collecting, network), pointSection(network), unplacedSection(collecting)]
  },
}

/** What the first section found, for the second. */
class Network {
  readonly names = new Map<string, string>()
  readonly links: [string, string][] = []

  add({ a_id: a, a: name, b_id: b, b: otherName, kind }: Link): void {
    if (!connecting.has(kind)) return
    const other = b ?? `text:${otherName}`
    this.names.set(a, name).set(other, otherName)
    this.links.push([a, other])
  }
}

const linkSection = (collecting: Collecting, network: Network): Section => ({
  name: 'links',
  title: 'Links',
  isMain: true,
  columns: columns({
    a: ['text', 'Asset'],
    a_port: ['text', 'Port'],
    b: ['text', 'Other asset'],
    b_port: ['text', 'Its port'],
    kind: ['text', 'Kind'],
    vlan: ['text', 'VLAN'],
    speed: ['text', 'Speed'],
    evidence: ['text', 'Known by'],
    first_seen: ['instant', 'First seen'],
    last_seen: ['instant', 'Last seen'],
  }),
  empty: 'No links are known: no switch, router or hypervisor was asked, and none was recorded.',
  rows: linkRows(collecting, network),
})

async function* linkRows(collecting: Collecting, network: Network): Rows {
  for await (const batch of links(collecting)) {
    for (const link of batch) network.add(link)
    yield batch
  }
}

const pointSection = (network: Network): Section => ({
  name: 'single_points_of_failure',
  title: 'Single points of failure',
  columns: columns({ name: ['text', 'Asset'], cuts_off: ['integer', 'Cuts off'] }),
  note: 'Without one of these, so many others lose their way to the largest part that remains.',
  empty: 'No link hangs on one thing alone.',
  chart: { label: 'name', value: 'cuts_off' },
  rows: points(network),
})

async function* points({ links: found, names }: Network): Rows {
  yield articulationPoints(found).map(({ node, cutsOff }) => ({
    name: names.get(node) ?? node,
    cuts_off: cutsOff,
  }))
}

const unplacedSection = (collecting: Collecting): Section => ({
  name: 'unplaced',
  title: 'Devices without a link',
  columns: columns({
    name: ['text', 'Name'],
    device_type: ['text', 'Device type'],
    ip: ['text', 'IP address'],
    last_seen: ['instant', 'Last seen'],
  }),
  note: 'At most 5,000.',
  empty: 'Every device has a link.',
  rows: unplaced(collecting),
})
