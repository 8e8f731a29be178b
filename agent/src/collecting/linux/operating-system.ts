import { hostname, release } from 'node:os'
import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

/** os-release(5), the kernel as `uname -r` prints it, names and the machine id. */
export async function operatingSystem(machine: Machine): Promise<Json> {
  const text = (await machine.read('/etc/os-release')) ?? (await machine.read('/usr/lib/os-release')) ?? ''
  const fields = assignments(text)
  const id = fields.get('ID') ?? 'linux'
  const kernel = (await machine.read('/proc/sys/kernel/osrelease'))?.trim() || release()
  const name = (await machine.read('/proc/sys/kernel/hostname'))?.trim() || hostname()
  const zone = (await machine.link('/etc/localtime'))?.replace(/^.*zoneinfo\//, '')
  return present({
    id,
    versionId: (await exactVersion(machine, id)) ?? fields.get('VERSION_ID') ?? '',
    codename: fields.get('VERSION_CODENAME'),
    prettyName: fields.get('PRETTY_NAME'),
    kernel,
    arch: machine.arch,
    hostname: name,
    machineId: (await machine.read('/etc/machine-id'))?.trim(),
    timeZone: zone,
  })
}

/** Debian's os-release names no point release. */
async function exactVersion(machine: Machine, id: string): Promise<string | undefined> {
  if (id !== 'debian') return undefined
  const version = (await machine.read('/etc/debian_version'))?.trim()
  return version !== undefined && /^\d+\.\d+$/.test(version) ? version : undefined
}

/** `NAME="value"` lines with the quoting of a shell. */
export function assignments(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, unquoted(value.trim())]]
  })
  return new Map(pairs)
}

function unquoted(value: string): string {
  const [, quote, inner = ''] = /^(["'])(.*)\1$/.exec(value) ?? []
  if (quote === undefined) return value
  return quote === '"' ? inner.replaceAll(/\\([$"\\`])/g, '$1') : inner
}
