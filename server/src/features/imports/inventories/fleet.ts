import type { InstalledSoftware, SoftwareOrigin } from '#features/assets/observation.ts'
import type { Format, Reading, ReadingTerms } from '../formats/format.ts'
import { isObject, listAt, textAt, type Fields } from '../parsing/json-document.ts'
import { factsOf, idOf, isHostName, isVirtualHardware, latest, nameAt, told } from './values.ts'
import { jsonReadings, readingOf, type FieldNames, type InventoryItem } from './inventory-item.ts'

/** What Fleet answers to `GET /api/v1/fleet/hosts`, also with `populate_software=true` (its Host and HostSoftware). */
export const fleet: Format = {
  kind: 'fleet',
  sourceName: 'Fleet import',
  isInventory: true,
  recognises: (head) =>
    /^\s*\{\s*"hosts"\s*:/.test(head) ||
    (/^\s*[[{]/.test(head) && /"osquery_version"\s*:/.test(head) && /"hardware_serial"\s*:/.test(head)),
  read: readFleet,
}

async function* readFleet(
  content: AsyncIterable<Buffer>,
  { now }: ReadingTerms,
): AsyncIterable<readonly Reading[]> {
  const hosts = {
    listKey: 'hosts',
    product: 'list of hosts of Fleet',
    isItem: (value: Fields) => 'hardware_serial' in value && 'hostname' in value,
  }
  yield* jsonReadings(content, hosts, (line, value) => readingOf(line, host(value), { now, names }))
}

const names: FieldNames = {
  name: 'display_name',
  serial: 'hardware_serial',
  ipAddress: 'primary_ip',
  macAddress: 'primary_mac',
  os: 'os_version',
  lastSeen: 'seen_time',
}

/** What osquery reads where a maker wrote no serial number. */
const NO_SERIAL = /^(-1|0+|default string|to be filled.*|system serial number|not specified|none)$/i
const SOFTWARE_MAX = 20_000

function host(value: Fields): InventoryItem {
  const hostname = textAt(value, 'hostname')
  const [vendor, model] = [textAt(value, 'hardware_vendor'), textAt(value, 'hardware_model')]
  const serial = textAt(value, 'hardware_serial')
  const uuid = textAt(value, 'uuid')
  const items = listAt(value, 'software').slice(0, SOFTWARE_MAX).flatMap(softwareIn)
  const release = releaseOf(value)
  return {
    key: `host:${idOf(value)}`,
    row: told({
      name: textAt(value, 'display_name') ?? textAt(value, 'computer_name') ?? hostname,
      hostname: hostname !== undefined && isHostName(hostname) ? hostname : undefined,
      serial: serial !== undefined && NO_SERIAL.test(serial) ? undefined : serial,
      ipAddress: textAt(value, 'primary_ip'),
      macAddress: textAt(value, 'primary_mac'),
      os: textAt(value, 'os_version'),
      lastSeen: latest(textAt(value, 'seen_time'), textAt(value, 'detail_updated_at')),
    }),
    addresses: uuid === undefined ? [] : [{ type: 'smbios_uuid', value: uuid }],
    more: {
      ...told({ vendor, model }),
      ...(isVirtualHardware(vendor, model) && { assetType: 'virtual_machine' as const }),
      ...factsOf({
        team: textAt(value, 'team_name') ?? nameAt(value, 'team'),
        platform: textAt(value, 'platform'),
        cpuModel: textAt(value, 'cpu_brand'),
        memoryBytes: typeof value['memory'] === 'number' ? value['memory'] : undefined,
        osqueryVersion: textAt(value, 'osquery_version'),
      }),
      ...((items.length > 0 || release) && {
        software: { complete: [], items, ...(release && { release }) },
      }),
    },
  }
}

/** `Ubuntu 22.04.4 LTS` of the platform `ubuntu`. */
function releaseOf(value: Fields): { id: string; versionId: string } | undefined {
  const platform = textAt(value, 'platform')
  const [version] = /\d+(\.\d+)*/.exec(textAt(value, 'os_version') ?? '') ?? []
  if (version === undefined || platform === undefined || !releaseIds.has(platform)) return undefined
  const versionId = platform === 'ubuntu' ? version.split('.').slice(0, 2).join('.') : version
  return { id: platform === 'darwin' ? 'macos' : platform, versionId }
}

const releaseIds: ReadonlySet<string> = new Set([
  'ubuntu',
  'debian',
  'rhel',
  'rocky',
  'almalinux',
  'sles',
  'amzn',
  'centos',
  'fedora',
  'ol',
  'darwin',
])

const origins: ReadonlyMap<string, SoftwareOrigin> = new Map([
  ['deb_packages', 'dpkg'],
  ['rpm_packages', 'rpm'],
  ['apps', 'macos'],
  ['programs', 'windows'],
  ['homebrew_packages', 'brew'],
])

function softwareIn(entry: unknown): InstalledSoftware[] {
  if (!isObject(entry)) return []
  const origin = origins.get(textAt(entry, 'source') ?? '')
  const name = textAt(entry, 'name')
  if (origin === undefined || name === undefined || name.length > 512) return []
  const release = textAt(entry, 'release')
  const version = textAt(entry, 'version') ?? ''
  return [
    {
      origin,
      name,
      version: origin === 'rpm' && release !== undefined ? `${version}-${release}` : version,
      ...told({ arch: textAt(entry, 'arch'), vendor: textAt(entry, 'vendor') }),
    },
  ]
}
