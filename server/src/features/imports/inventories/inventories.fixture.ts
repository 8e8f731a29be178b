import type { Reading, ReadingTerms } from '../formats/format.ts'
import { formatOf } from '../parsing/reading.ts'

/** Exports of other products, made after what their programs write; names and numbers are invented. */

export const now = new Date('2026-11-23T08:00:00Z')

export async function* bytes(text: string): AsyncIterable<Buffer> {
  yield Buffer.from(text)
}

/** Reads a file in the format that it is recognised as. */
export async function read(text: string, more: Partial<ReadingTerms> = {}): Promise<Reading[]> {
  const format = formatOf(text.slice(0, 4_096))
  if (!('sourceName' in format)) throw new Error(format.kind)
  const found: Reading[] = []
  for await (const some of format.read(bytes(text), { now, ignoreUnknown: false, ...more }))
    found.push(...some)
  return found
}

export const hardware = {
  id: 7,
  name: 'Anna&#039;s laptop',
  asset_tag: 'HW-0007',
  serial: 'PF2QK7A1',
  model: { id: 3, name: 'ThinkPad T14 &amp; dock' },
  model_number: '20XK',
  asset_eol_date: { date: '2027-05-01', formatted: '01.05.2027' },
  status_label: { id: 2, name: 'Ready', status_type: 'deployable', status_meta: 'deployed' },
  category: { id: 1, name: 'Laptops' },
  manufacturer: { id: 4, name: 'Lenovo' },
  supplier: { id: 9, name: 'Shop Ltd' },
  notes: 'dented\nlid',
  order_number: 'PO-11',
  company: { id: 1, name: 'Example' },
  location: { id: 5, name: 'Oslo' },
  assigned_to: { id: 12, username: 'anna', name: 'Anna Li', email: 'anna@example.org', type: 'user' },
  warranty_expires: { date: '2027-05-01', formatted: '01.05.2027' },
  deleted_at: null,
  purchase_date: { date: '2024-05-01', formatted: '01.05.2024' },
  purchase_cost: '1,299.50',
  custom_fields: {
    'MAC Address': { field: '_snipeit_mac_1', value: '00:1b:21:0a:0b:0c', field_format: 'MAC' },
    PIN: { field: '_snipeit_pin_2', value: 'ENCRYPTED', field_format: 'ANY' },
    Colour: { field: '_snipeit_colour_3', value: 'grey', field_format: 'ANY' },
  },
}

export const device = {
  id: 5,
  url: 'https://netbox.example.org/api/dcim/devices/5/',
  display: 'sw-core-1',
  name: 'sw-core-1',
  device_type: { id: 2, manufacturer: { id: 1, name: 'Cisco' }, model: 'C9300-48P' },
  role: { id: 1, name: 'Core switch' },
  platform: { id: 1, name: 'IOS-XE' },
  serial: 'FCW2140L0GH',
  asset_tag: 'N-5',
  site: { id: 1, name: 'Oslo' },
  status: { value: 'active', label: 'Active' },
  primary_ip4: { id: 1, address: '10.0.0.2/24', dns_name: 'sw-core-1.example.org' },
  primary_ip6: { id: 2, address: '2001:db8::2/64', dns_name: '' },
  comments: '',
  tags: [{ id: 1, name: 'core', slug: 'core' }],
  custom_fields: { contract: 'C-77', note: null },
  last_updated: '2026-10-01T10:00:00.000000Z',
}
export const page = (...results: object[]) =>
  JSON.stringify({ count: results.length, next: null, previous: null, results })

export const host = {
  id: 3,
  hostname: 'web-1.example.org',
  display_name: 'web-1',
  uuid: '392547dc-0000-0000-a87a-d701ff75bc65',
  platform: 'ubuntu',
  os_version: 'Ubuntu 22.04.4 LTS',
  osquery_version: '5.12.1',
  hardware_vendor: 'QEMU',
  hardware_model: 'Standard PC',
  hardware_serial: '-1',
  primary_ip: '10.0.0.7',
  primary_mac: '52:54:00:12:34:56',
  seen_time: '2026-11-20T10:00:00Z',
  detail_updated_at: '2026-11-20T09:00:00Z',
  software: [
    { id: 1, name: 'openssl', version: '3.0.2-0ubuntu1.12', source: 'deb_packages' },
    { id: 2, name: 'bash', version: '5.1.8', release: '6.el9', arch: 'x86_64', source: 'rpm_packages' },
    { id: 3, name: 'An extension', version: '1', source: 'chrome_extensions' },
  ],
}
