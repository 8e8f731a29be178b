import { drawingColumns, rowOfBox } from '../links/drawing-rows.ts'
import { addresses, toldLayers, type ToldLayers } from '../links/layers-store.ts'
import { drawNetwork } from '../links/network-drawing.ts'
import { Subnets } from '../links/subnets.ts'
import type { Vlans } from '../links/vlans.ts'
import { columns, type Collecting, type Rows, type Section } from './kind.ts'

/** VLANs, and the subnets with what routes between them. They are read after the links, which tell who is on which VLAN. */
export function layerSections(collecting: Collecting, vlans: Vlans): Section[] {
  const subnets = new Subnets()
  return [
    {
      name: 'vlans',
      title: 'VLANs',
      columns: columns({
        site: ['text', 'Site'],
        vlan: ['integer', 'VLAN'],
        name: ['text', 'Called'],
        switches: ['integer', 'Switches'],
        which: ['text', 'Which'],
        devices: ['integer', 'Devices learned'],
      }),
      note: 'As switches list them. Devices are those of the inventory that a switch has learned behind a port of its own.',
      empty: 'No switch told of its VLANs.',
      rows: vlanRows(collecting, vlans, subnets),
    },
    {
      name: 'subnets',
      title: 'Subnets',
      pictured: 'routing',
      columns: columns({
        subnet: ['text', 'Subnet'],
        vlan: ['text', 'VLAN'],
        site: ['text', 'Site'],
        routers: ['text', 'Routers'],
        devices: ['integer', 'Devices seen'],
      }),
      note: 'Of the addresses that devices tell of their interfaces. Routers have addresses in several; a device counts in the smallest subnet that has its address.',
      empty: 'No device told the addresses of its interfaces with their subnets.',
      rows: subnetRows(collecting, subnets),
    },
    {
      name: 'routing',
      title: 'Drawings of subnets',
      layout: 'drawings',
      columns: drawingColumns,
      note: 'Routers and the subnets that they lead to; a subnet behind one router alone is listed in its box.',
      empty: 'No device is known to route between subnets.',
      rows: routingRows(subnets),
    },
  ]
}

async function* vlanRows(collecting: Collecting, vlans: Vlans, subnets: Subnets): Rows {
  for await (const batch of toldLayers(collecting)) for (const told of batch) add(told, vlans, subnets)
  yield vlans.rows()
}

async function* subnetRows(collecting: Collecting, subnets: Subnets): Rows {
  for await (const batch of addresses(collecting))
    for (const { address } of batch) subnets.addAddress(address)
  yield subnets.rows()
}

async function* routingRows(subnets: Subnets): Rows {
  yield drawNetwork(subnets.network(), new Map()).map(rowOfBox)
}

type Item = Readonly<Record<string, unknown>>

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.filter((it): it is Item => typeof it === 'object' && it !== null) : []

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 200) : '')

function add(
  { asset_id: assetId, asset, type, site, ...told }: ToldLayers,
  vlans: Vlans,
  subnets: Subnets,
): void {
  for (const { id, name } of itemsOf(told.vlans))
    vlans.addNamed(site, { id: Number(id), name: textOf(name) }, asset)
  for (const { name, addresses: held } of itemsOf(told.interfaces))
    for (const each of Array.isArray(held) ? held : [])
      subnets.addInterface({ assetId, asset, type, site, interface: textOf(name), address: addressOf(each) })
}

/** `192.0.2.1/24`, or `{ ip, prefix }`. */
function addressOf(told: unknown): string {
  if (typeof told === 'string') return told
  const { ip, prefix } = (typeof told === 'object' && told !== null ? told : {}) as Item
  return `${textOf(ip)}/${typeof prefix === 'number' ? prefix : ''}`
}
