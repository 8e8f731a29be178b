import { cleanText, type Content, type Row } from '../messages/message.ts'
import { hostQueries } from './queries.ts'

/** What a host answered: the rows of each query that ran, and the names of those that failed. */
export interface HostResults {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly failed: ReadonlySet<string>
}

const MEBIBYTE = 1_048_576

/**
 * The results as categories of the other agents, so that one mapping serves all. A query that failed or did not run leaves
 * its category out, and that stays as it was told before; the list of software is there only when every part of it is.
 */
export function contentOf({ rows, failed }: HostResults): Content {
  const content = new Map<string, readonly Row[]>()
  const system = rows.get('rollcall_system')?.[0]
  if (system) {
    const memory = Number(system.get('physical_memory'))
    content.set('hardware', [
      row({
        name: system.get('computer_name') || system.get('hostname'),
        uuid: system.get('uuid'),
        processort: system.get('cpu_brand'),
        memory: memory > 0 ? String(Math.round(memory / MEBIBYTE)) : undefined,
      }),
    ])
    content.set('bios', [
      row({
        ssn: withoutDefault(system.get('hardware_serial')),
        smanufacturer: withoutDefault(system.get('hardware_vendor')),
        smodel: withoutDefault(system.get('hardware_model')),
      }),
    ])
  }
  const release = rows.get('rollcall_os')?.[0]
  if (release)
    content.set('operatingsystem', [operatingSystem(release, rows.get('rollcall_kernel')?.[0], system)])
  const interfaces = rows.get('rollcall_interfaces')
  if (interfaces) content.set('networks', networks(interfaces, rows.get('rollcall_addresses') ?? []))
  const users = rows.get('rollcall_users')
  if (users) content.set('local_users', users)
  const parts = Object.entries(hostQueries).filter(([, it]) => it.from !== undefined)
  if (parts.some(([name]) => rows.has(name)) && !parts.some(([name]) => failed.has(name)))
    content.set(
      'softwares',
      parts.flatMap(([name, { from = '' }]) => (rows.get(name) ?? []).map((it) => software(it, from))),
    )
  return content
}

const row = (fields: Readonly<Record<string, string | undefined>>): Row =>
  new Map(Object.entries(fields).flatMap(([name, it]) => (it === undefined ? [] : [[name, cleanText(it)]])))

/** What osquery tells where firmware has nothing. */
const withoutDefault = (text: string | undefined): string | undefined =>
  text === undefined || /^(-1|default string|to be filled by o\.e\.m\.?)$/i.test(text) ? undefined : text

function operatingSystem(release: Row, kernel: Row | undefined, system: Row | undefined): Row {
  const isWindows = release.get('platform') === 'windows'
  const version = release.get('version') ?? ''
  const revision = release.get('revision')
  const build = revision ? `${version}.${revision}` : version
  const codename = release.get('codename')
  return row({
    name: release.get('name'),
    full_name: isWindows ? release.get('name') : `${release.get('name') ?? ''} ${version}`.trim(),
    version: isWindows ? build : version,
    kernel_version: isWindows ? build : kernel?.get('version'),
    arch: release.get('arch'),
    fqdn: system?.get('hostname'),
    ...(codename && { codename }),
  })
}

/** A row for each address; for an interface without one, a row with its MAC address alone. */
function networks(interfaces: readonly Row[], addresses: readonly Row[]): Row[] {
  return interfaces.flatMap((it) => {
    const name = it.get('interface')
    const own = addresses.filter((each) => each.get('interface') === name)
    const base = { description: name, mac: it.get('mac') }
    if (own.length === 0) return [row(base)]
    return own.map((each) => row({ ...base, ipaddress: each.get('address')?.replace(/%.*$/, '') }))
  })
}

/** Of RPM packages the epoch and the release are columns of their own. */
function software(it: Row, from: string): Row {
  const fields = new Map(it).set('from', from)
  const release = it.get('release')
  if (from !== 'rpm' || !release) return fields
  const epoch = it.get('epoch')
  const prefix = epoch !== undefined && /^\d+$/.test(epoch) ? `${epoch}:` : ''
  return fields.set('version', `${prefix}${it.get('version') ?? ''}-${release}`)
}
