import { sql, type RawBuilder } from 'kysely'
import type { PartField } from '#platform/conditions/subject.ts'
import { assetTypes } from '../observation.ts'
import { life } from './life-fields-store.ts'

/** The fields of assets, over the alias `a`. */

const everySource = 'every source'
const logins = 'scans that log in, agents and imports that list it'

type Text = Pick<PartField, 'name' | 'sentence' | 'source'> & {
  readonly normalized: RawBuilder<unknown>
  /** As people spell it; empty was not collected. */
  readonly spelled: RawBuilder<unknown>
}

const text = ({ normalized, spelled, ...field }: Text): PartField => ({
  ...field,
  type: 'text',
  sql: normalized,
  label: sql`nullif(${spelled}, '')`,
})

const naming: readonly PartField[] = [
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the asset.',
    source: everySource,
    sql: sql`a.id::text`,
  },
  text({
    name: 'name',
    sentence: 'The name: one that was given, else the host name, an address or the serial number.',
    source: everySource,
    normalized: sql`a.normalized_name`,
    spelled: sql`a.name`,
  }),
  text({
    name: 'hostname',
    sentence: 'The host name.',
    source: everySource,
    normalized: sql`a.normalized_hostname`,
    spelled: sql`a.hostname`,
  }),
  {
    name: 'ip',
    type: 'ip',
    isList: true,
    sentence: 'The current addresses of all interfaces.',
    source: everySource,
    sql: sql`a.addresses`,
  },
  {
    name: 'mac',
    type: 'text',
    isList: true,
    sentence: 'The hardware addresses of all interfaces, with colons.',
    source: 'sweeps of the own segment, scans that log in, switches and imports',
    sql: sql`a.macs`,
  },
  text({
    name: 'serial',
    sentence: 'The serial number.',
    source: logins,
    normalized: sql`a.normalized_serial`,
    spelled: sql`a.serial`,
  }),
]

const natureOf = (deviceTypes: readonly string[]): readonly PartField[] => [
  {
    name: 'type',
    type: 'text',
    isList: true,
    values: [...new Set([...assetTypes, ...deviceTypes])],
    sentence: 'What it is: both the type of asset, such as virtual_machine, and of device, such as server.',
    source: `${everySource}; recognition`,
    sql: sql`array[a.asset_type, coalesce(a.device_type, 'unknown')]`,
  },
  {
    name: 'asset_type',
    type: 'text',
    values: assetTypes,
    sentence: 'The type of asset.',
    source: everySource,
    sql: sql`a.asset_type`,
  },
  {
    name: 'device_type',
    type: 'text',
    values: deviceTypes,
    sentence: 'What the device is for, as a person set it or recognition reads it.',
    source: 'recognition',
    sql: sql`a.device_type`,
  },
  text({
    name: 'vendor',
    sentence: 'The maker.',
    source: `${logins}; recognition`,
    normalized: sql`a.normalized_vendor`,
    spelled: sql`a.vendor`,
  }),
  text({
    name: 'model',
    sentence: 'The model.',
    source: `${logins}; recognition`,
    normalized: sql`a.normalized_model`,
    spelled: sql`a.model`,
  }),
  {
    name: 'confidence',
    type: 'number',
    unit: '0 to 1',
    sentence: 'How certain recognition is of the type.',
    source: 'recognition',
    sql: sql`a.confidence`,
  },
]

const system: readonly PartField[] = [
  text({
    name: 'os',
    sentence: 'The operating system, as sources name it.',
    source: logins,
    normalized: sql`a.normalized_os`,
    spelled: sql`a.os`,
  }),
  {
    name: 'os_family',
    type: 'text',
    sentence: 'The family of the operating system: windows, linux, macos, bsd, network …',
    source: 'read from os',
    sql: sql`a.os_family`,
  },
  {
    name: 'os_name',
    type: 'text',
    sentence: 'The operating system without its version: windows server, debian …',
    source: 'read from os',
    sql: sql`a.os_name`,
  },
  {
    name: 'os_version',
    type: 'text',
    sentence: 'The version in the name of the operating system, such as 2019 or 22.04; it has no order.',
    source: 'read from os',
    sql: sql`a.os_version`,
  },
  {
    name: 'booted_at',
    type: 'instant',
    aliases: ['booted'],
    sentence: 'When it was started last.',
    source: logins,
    sql: sql`a.booted_at`,
  },
  {
    name: 'bios',
    type: 'text',
    sentence: 'The version of the firmware.',
    source: logins,
    sql: sql`a.bios_version`,
  },
]

const hardware: readonly PartField[] = [
  {
    name: 'memory_gb',
    aliases: ['memory'],
    type: 'number',
    unit: 'GiB',
    sentence: 'The main memory.',
    source: logins,
    sql: sql`(a.memory_bytes / ${sql.lit(2 ** 30)}::float8)`,
  },
  {
    name: 'disk_gb',
    aliases: ['disk'],
    type: 'number',
    unit: 'GiB',
    sentence: 'The size of all disks together.',
    source: logins,
    sql: sql`(a.disk_bytes / ${sql.lit(2 ** 30)}::float8)`,
  },
  {
    name: 'cpu_count',
    aliases: ['cpus'],
    type: 'number',
    sentence: 'The number of logical processors.',
    source: logins,
    sql: sql`a.cpu_count`,
  },
  {
    name: 'port',
    type: 'number',
    isList: true,
    sentence:
      'The open TCP ports, without those that only the host itself reaches. A port that no source asked about is unknown.',
    source: 'scans that log in and agents, which see all ports; sweeps, which ask a few',
    sql: sql`a.open_ports`,
    knownMembersSql: sql`a.known_ports`,
  },
  {
    name: 'service',
    type: 'text',
    isList: true,
    sentence: 'The services that run, by the name that the system gives them.',
    source: 'scans that log in',
    sql: sql`a.services`,
  },
]

const knowledge: readonly PartField[] = [
  {
    name: 'tag',
    type: 'text',
    isList: true,
    sentence: 'The tags of sources and people.',
    source: everySource,
    sql: sql`a.normalized_tags`,
    label: sql`a.tags`,
  },
  {
    name: 'source',
    type: 'text',
    isList: true,
    sentence: 'The names of the sources that report it.',
    source: everySource,
    sql: sql`a.source_names`,
  },
  {
    name: 'source_kind',
    type: 'text',
    isList: true,
    sentence: 'The kinds of the sources that report it.',
    source: everySource,
    sql: sql`a.source_kinds`,
  },
  {
    name: 'first_seen',
    type: 'instant',
    sentence: 'When it was seen first.',
    source: everySource,
    sql: sql`a.first_seen`,
    isIndexed: true,
  },
  {
    name: 'last_seen',
    type: 'instant',
    aliases: ['seen'],
    sentence: 'When it was seen last.',
    source: everySource,
    sql: sql`a.last_seen`,
    isIndexed: true,
  },
  {
    name: 'risk',
    type: 'number',
    unit: '0 to 100',
    sentence: 'The risk score; 0 where no open finding counts against it.',
    source: 'findings',
    sql: sql`a.risk_score`,
  },
]

export const assetFields = (deviceTypes: readonly string[]): readonly PartField[] => [
  ...naming,
  ...natureOf(deviceTypes),
  ...system,
  ...hardware,
  ...knowledge,
  ...life,
]
