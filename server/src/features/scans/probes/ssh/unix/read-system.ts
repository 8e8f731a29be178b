import type { AssetType, OsRelease } from '#features/assets/observation.ts'
import { linesOf, pairsOf, word } from '../terminal-text.ts'

export interface Uname {
  readonly system?: string
  readonly name?: string
  readonly kernel?: string
  readonly machine?: string
}

export function unameIn(text: string): Uname {
  const [system, name, kernel, machine] = linesOf(text).map((line) => word(line))
  return defined({ system, name, kernel, machine })
}

/** The system by os-release(5), sw_vers, freebsd-version, a release file of old, or the name of its kernel. */
export function releaseIn(text: string, { system, kernel }: Uname): OsRelease | undefined {
  const found = fromOsRelease(text) ?? fromSwVers(text) ?? fromRedHat(text) ?? fromKernel(text, system)
  return found && { ...found, ...(kernel !== undefined && { kernel }) }
}

function fromOsRelease(text: string): OsRelease | undefined {
  const fields = pairsOf(text)
  const field = (key: string) => word(unquoted(fields.get(key) ?? ''))
  const id = field('ID')?.toLowerCase()
  if (id === undefined) return undefined
  const versionId = field('VERSION_ID') ?? ''
  return {
    id,
    versionId,
    ...defined({ codename: field('VERSION_CODENAME'), prettyName: field('PRETTY_NAME') ?? field('NAME') }),
  }
}

/** As a POSIX shell reads an assignment without expansions. */
function unquoted(text: string): string {
  const [, single, double] = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)")$/.exec(text) ?? []
  return single ?? (double ?? text).replace(/\\(.)/g, '$1')
}

function fromSwVers(text: string): OsRelease | undefined {
  const fields = pairsOf(text, ':')
  const [name, version] = [word(fields.get('ProductName')), word(fields.get('ProductVersion'))]
  if (name === undefined || version === undefined) return undefined
  return { id: 'macos', versionId: version, prettyName: `${name} ${version}` }
}

/** `CentOS release 6.10 (Final)`, `Red Hat Enterprise Linux Server release 6.10 (Santiago)`. */
function fromRedHat(text: string): OsRelease | undefined {
  const line = word(linesOf(text)[0])
  const [, name, versionId] = /^(.{2,80}?) release (\d[\d.]{0,20})/.exec(line ?? '') ?? []
  if (name === undefined || versionId === undefined || line === undefined) return undefined
  const id = name.startsWith('Red Hat') ? 'rhel' : (name.split(' ')[0] ?? '').toLowerCase()
  return { id, versionId, prettyName: line }
}

function fromKernel(text: string, system: string | undefined): OsRelease | undefined {
  const version = word(linesOf(text)[0]) ?? ''
  const numbers = /^\d{1,4}(?:\.\d{1,4}){0,3}/.exec(version)?.[0]
  if (system === undefined || system === 'Linux') return undefined
  return {
    id: system.toLowerCase(),
    versionId: numbers ?? '',
    prettyName: word(`${system} ${version}`) ?? system,
  }
}

export interface Hardware {
  readonly vendor?: string
  readonly model?: string
  readonly version?: string
  readonly serial?: string
  readonly boardSerial?: string
  readonly uuid?: string
  readonly bios?: string
}

/** From Linux' folder of DMI fields or its device tree, macOS' registry, FreeBSD's kenv, OpenBSD's sysctl. */
export function hardwareIn(text: string): Hardware {
  const fields = new Map<string, string>()
  for (const line of linesOf(text)) {
    const [, key = '', value = ''] = /^\s*"?([\w.-]{1,64})"? ?[=:] ?(.*)$/.exec(line.slice(0, 1_000)) ?? []
    const plain = value.trim().replace(/^<?"(.*)">?$/, '$1')
    if (plain !== '' && !fields.has(key)) fields.set(key, plain)
  }
  const first = (...keys: readonly string[]) =>
    word(keys.map((key) => fields.get(key)).find((it) => it !== undefined))
  return defined({
    vendor: first('sys_vendor', 'manufacturer', 'smbios.system.maker', 'hw.vendor'),
    model: first('product_name', 'model', 'smbios.system.product', 'hw.product', 'tree_model'),
    version: first('product_version', 'smbios.system.version', 'hw.version'),
    serial: first(
      'product_serial',
      'IOPlatformSerialNumber',
      'smbios.system.serial',
      'hw.serialno',
      'tree_serial-number',
    ),
    boardSerial: first('board_serial', 'smbios.planar.serial'),
    uuid: first('product_uuid', 'IOPlatformUUID', 'smbios.system.uuid', 'hw.uuid', 'kern.hostuuid'),
    bios: first('bios_version', 'smbios.bios.version'),
  })
}

export interface Cpu {
  readonly count?: number
  readonly model?: string
  /** The processor says that it is not a real one. */
  readonly isGuest: boolean
}

export function cpuIn(text: string): Cpu {
  const lines = linesOf(text).map((line) => line.trim())
  const count = lines.find((line) => /^\d{1,5}$/.test(line))
  const model = lines.find((line) => !/^\d+$/.test(line) && line !== 'hypervisor')
  return {
    ...defined({
      count: count === undefined ? undefined : Number(count),
      model: word(model?.replace(/^[^:]{0,40}:\s*/, '')),
    }),
    isGuest: lines.includes('hypervisor'),
  }
}

/** Bytes. */
export function memoryIn(text: string): number | undefined {
  const kilobytes = /^MemTotal:\s*(\d{1,15}) kB/m.exec(text)?.[1]
  if (kilobytes !== undefined) return Number(kilobytes) * 1_024
  const bytes = /^\d{1,18}$/.exec(text.trim())?.[0]
  return bytes === undefined ? undefined : Number(bytes)
}

/** When it was started, to the minute: the second varies with the clock. */
export function bootIn(text: string): Date | undefined {
  const seconds = /(?:btime|sec =)? ?(\d{9,10})\b/.exec(text.slice(0, 200))?.[1]
  return seconds === undefined ? undefined : new Date(Math.round(Number(seconds) / 60) * 60_000)
}

export interface Nature {
  /** Undefined: cannot be determined from inside the machine. */
  readonly type?: AssetType
  /** `kvm`, `vmware`, `docker` and so on. */
  readonly by?: string
  /** What the kernel says of the hardware is said of the machine that it runs on. */
  readonly isContainer: boolean
}

const SYSTEM_CONTAINERS: ReadonlySet<string> = new Set([
  'lxc',
  'lxc-libvirt',
  'systemd-nspawn',
  'openvz',
  'wsl',
])
const CONTAINERS: ReadonlySet<string> = new Set([
  'docker',
  'podman',
  'rkt',
  'container-other',
  'proot',
  'pouch',
])
const GUESTS =
  /vmware|virtualbox|innotek|qemu|kvm|bochs|xen|hvm domu|parallels|amazon ec2|google compute|openstack|virtual machine|droplet|vserver|alibaba cloud|ovirt|rhev|bhyve|firecracker/i

/** Machine, virtual machine or container: by what the system says, else by the names of its hardware. */
export function natureIn(text: string, hardware: Hardware, cpu: Cpu): Nature {
  const fields = pairsOf(text)
  const detected = [fields.get('container'), fields.get('detect'), fields.get('guest')].find(
    (it) => it !== undefined && it !== '' && it !== 'none' && it !== '0' && it !== 'no',
  )
  const by = word(detected === '1' ? 'apple' : detected)
  if (by !== undefined && CONTAINERS.has(by)) return { by, isContainer: true }
  if (by !== undefined && SYSTEM_CONTAINERS.has(by)) return { type: 'virtual_machine', by, isContainer: true }
  if (fields.get('role') === 'hypervisor')
    return { type: 'hypervisor', isContainer: false, ...defined({ by }) }
  if (by !== undefined) return { type: 'virtual_machine', by, isContainer: false }
  const names = `${hardware.vendor ?? ''} ${hardware.model ?? ''}`
  const isGuest =
    fields.get('detect') !== 'none' && (cpu.isGuest || GUESTS.test(names)) && !/\.metal\b/.test(names)
  if (isGuest) return { type: 'virtual_machine', isContainer: false }
  return { isContainer: false, ...(fields.get('role') !== 'perhaps' && { type: 'device' }) }
}

export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
