/** What is asked of a host, in osquery's SQL (https://osquery.io/schema). The results are texts. */
export interface HostQuery {
  readonly sql: string
  /** Asked only where this table is there: it differs by system and version. */
  readonly table: string
  /** Of what it lists, as `from` of the other agents; absent: no software. */
  readonly from?: string
}

const query = (table: string, columns: string, from?: string): HostQuery => ({
  table,
  sql: `select ${columns} from ${table}`,
  ...(from !== undefined && { from }),
})

/** By the name under which the host answers. */
export const hostQueries: Readonly<Record<string, HostQuery>> = {
  rollcall_system: query(
    'system_info',
    'hostname, computer_name, uuid, hardware_serial, hardware_vendor, hardware_model, cpu_brand, physical_memory',
  ),
  // all columns: which there are differs by version
  rollcall_os: query('os_version', '*'),
  rollcall_kernel: query('kernel_info', 'version'),
  rollcall_interfaces: query('interface_details', 'interface, mac, type'),
  rollcall_addresses: query('interface_addresses', 'interface, address'),
  rollcall_users: query('users', 'username as login'),
  rollcall_deb: {
    ...query('deb_packages', 'name, version, arch, source', 'deb'),
    sql: `select name, version, arch, source from deb_packages where status = 'install ok installed'`,
  },
  rollcall_rpm: query(
    'rpm_packages',
    'name, version, release, epoch, arch, source, vendor as publisher',
    'rpm',
  ),
  rollcall_programs: query('programs', 'name, version, publisher, install_date', 'registry'),
  rollcall_apps: query(
    'apps',
    "name, bundle_short_version as version, case when last_opened_time > 0 then date(last_opened_time, 'unixepoch') end as last_used_on",
    'app',
  ),
  rollcall_homebrew: query('homebrew_packages', 'name, version', 'homebrew'),
}

/** osquery runs a query only where its discovery query finds a row. */
export const discoveryOf = ({ table }: HostQuery): string =>
  `select 1 from osquery_registry where active = 1 and registry = 'table' and name = '${table}'`
