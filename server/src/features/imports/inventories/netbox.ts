import type { Format, Reading, ReadingTerms } from '../formats/format.ts'
import { listAt, objectAt, textAt, isObject, type Fields } from '../parsing/json-document.ts'
import { addressIn, factsOf, idOf, isHostName, nameAt, plainValues, told } from './values.ts'
import { jsonReadings, readingOf, type FieldNames, type InventoryItem } from './inventory-item.ts'
import { DeviceParts, isPart } from './netbox-parts.ts'

/**
 * What the API of NetBox (3.5 to 4.4) answers to /api/dcim/devices/, /api/virtualization/virtual-machines/,
 * /api/ipam/ip-addresses/, /api/dcim/interfaces/ and /api/virtualization/interfaces/. Addresses and interfaces complete
 * the device that they belong to: both files name it by its id.
 */
export const netbox: Format = {
  kind: 'netbox',
  sourceName: 'NetBox import',
  isInventory: true,
  recognises: (head) =>
    /^\s*\{\s*"count"\s*:\s*\d+\s*,\s*"next"\s*:/.test(head) ||
    (/^\s*[[{]/.test(head) && /"url"\s*:\s*"[^"]*\/api\/(dcim|virtualization|ipam)\//.test(head)),
  read: readNetbox,
}

async function* readNetbox(
  content: AsyncIterable<Buffer>,
  { now }: ReadingTerms,
): AsyncIterable<readonly Reading[]> {
  const parts = new DeviceParts()
  const results = {
    listKey: 'results',
    product: 'list of devices, virtual machines, interfaces or addresses of NetBox',
    isItem: (value: Fields) => isPart(value) || isDevice(value) || isGuest(value),
  }
  yield* jsonReadings(content, results, (line, value) =>
    isPart(value) ? parts.add(line, value) : readingOf(line, machine(value), { now, names }),
  )
  yield* parts.readings(now)
}

const isDevice = (value: Fields): boolean => isObject(value['device_type'])
const isGuest = (value: Fields): boolean => 'vcpus' in value && 'cluster' in value

const names: FieldNames = {
  ipAddress: 'primary_ip4',
  hostname: 'name',
  os: 'platform',
  lastSeen: 'last_updated',
  site: 'site',
  notes: 'comments',
  tags: 'tags',
}

function machine(value: Fields): InventoryItem {
  const type = objectAt(value, 'device_type')
  const kind = isDevice(value) ? 'device' : 'vm'
  const id = idOf(value)
  const name = textAt(value, 'name')
  const primary = [objectAt(value, 'primary_ip4'), objectAt(value, 'primary_ip6')]
  const [first, second] = primary.flatMap((it) => addressIn(textAt(it, 'address')) ?? [])
  const dnsName = primary.map((it) => textAt(it, 'dns_name')).find((it) => it !== undefined && isHostName(it))
  return {
    key: `${kind}:${id}`,
    row: told({
      name: name ?? textAt(value, 'display') ?? `${kind} ${id}`,
      assetType: kind === 'vm' ? 'virtual_machine' : undefined,
      hostname: dnsName ?? (name !== undefined && isHostName(name) ? name : undefined),
      serial: textAt(value, 'serial'),
      ipAddress: first,
      os: nameAt(value, 'platform'),
      lastSeen: textAt(value, 'last_updated'),
      tags: tagsOf(value),
      site: nameAt(value, 'site'),
      state: states.get(textAt(objectAt(value, 'status'), 'value') ?? ''),
      owner: nameAt(value, 'owner'),
      notes: textAt(value, 'comments'),
    }),
    addresses: second === undefined ? [] : [{ type: 'ip', value: second }],
    more: {
      ...told({ vendor: nameAt(type, 'manufacturer'), model: textAt(type, 'model') }),
      ...factsOf({
        role: nameAt(value, 'role') ?? nameAt(value, 'device_role'),
        status: textAt(objectAt(value, 'status'), 'label'),
        assetTag: textAt(value, 'asset_tag'),
        tenant: nameAt(value, 'tenant'),
        location: nameAt(value, 'location'),
        rack: nameAt(value, 'rack'),
        cluster: nameAt(value, 'cluster'),
        description: textAt(value, 'description'),
        customFields: plainValues(value['custom_fields']),
      }),
    },
  }
}

/** A cell parts tags by semicolons. */
const tagsOf = (value: Fields): string =>
  listAt(value, 'tags')
    .flatMap((it) => (isObject(it) ? (textAt(it, 'name')?.replaceAll(';', ',') ?? []) : []))
    .join(';')

/** `offline` says nothing of the life of a thing. */
const states: ReadonlyMap<string, string> = new Map([
  ['active', 'in_use'],
  ['planned', 'ordered'],
  ['staged', 'in_stock'],
  ['inventory', 'in_stock'],
  ['failed', 'in_repair'],
  ['decommissioning', 'retired'],
])
