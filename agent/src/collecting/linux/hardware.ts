import { createHash } from 'node:crypto'
import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

const DMI = '/sys/class/dmi/id'
const BYTES_PER_KIB = 1_024

/** SMBIOS by /sys/class/dmi/id (serial numbers are for root alone), or the device tree; processor and memory by /proc. */
export async function hardware(machine: Machine): Promise<Json> {
  const dmi = async (name: string): Promise<string | undefined> =>
    (await machine.read(`${DMI}/${name}`))?.trim()
  const cpu = processorIn((await machine.read('/proc/cpuinfo')) ?? '')
  const memory = /^MemTotal:\s+(\d+) kB/m.exec((await machine.read('/proc/meminfo')) ?? '')?.[1]
  const virtualization = await virtualizationOf(machine, cpu.isGuest)
  const endorsement = await machine.read('/sys/class/tpm/tpm0/ek/public')
  return present({
    vendor: await dmi('sys_vendor'),
    model: (await dmi('product_name')) ?? (await deviceTree(machine, 'model')),
    serial: (await dmi('product_serial')) ?? (await deviceTree(machine, 'serial-number')),
    uuid: await dmi('product_uuid'),
    boardVendor: await dmi('board_vendor'),
    boardModel: await dmi('board_name'),
    boardSerial: await dmi('board_serial'),
    chassisType: await dmi('chassis_type'),
    biosVendor: await dmi('bios_vendor'),
    biosVersion: await dmi('bios_version'),
    biosDate: await dmi('bios_date'),
    cpuModel: cpu.model,
    cpuSockets: cpu.sockets,
    cpuCores: cpu.cores,
    cpuThreads: cpu.threads,
    memoryBytes: memory === undefined ? undefined : Number(memory) * BYTES_PER_KIB,
    virtualization,
    tpmEk: endorsement === undefined ? undefined : createHash('sha256').update(endorsement).digest('hex'),
    tpmVersion: (await machine.read('/sys/class/tpm/tpm0/tpm_version_major'))?.trim(),
  })
}

/** Texts of a device tree end with a NUL. */
const deviceTree = async (machine: Machine, name: string): Promise<string | undefined> =>
  (await machine.read(`/proc/device-tree/${name}`))?.replaceAll('\0', '').trim()

interface Processor {
  readonly model?: string
  readonly sockets?: number
  readonly cores?: number
  readonly threads?: number
  readonly isGuest: boolean
}

export function processorIn(text: string): Processor {
  const blocks = text.split(/\n\n+/).filter((it) => /^processor\s*:/m.test(it))
  const value = (block: string, name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.+)$`, 'm').exec(block)?.[1]?.trim()
  const sockets = new Set(blocks.flatMap((it) => value(it, 'physical id') ?? []))
  const cores = new Set(
    blocks.flatMap((it) => {
      const core = value(it, 'core id')
      return core === undefined ? [] : `${value(it, 'physical id') ?? ''}/${core}`
    }),
  )
  const model = value(text, 'model name') ?? value(text, 'Model') ?? value(text, 'Hardware')
  return {
    ...(model !== undefined && { model }),
    ...(sockets.size > 0 && { sockets: sockets.size }),
    ...(cores.size > 0 && { cores: cores.size }),
    ...(blocks.length > 0 && { threads: blocks.length }),
    isGuest: /^flags\s*:.*\bhypervisor\b/m.test(text),
  }
}

/** What the firmware calls itself, as hypervisors write it. */
const guests: readonly (readonly [RegExp, string])[] = [
  [/VMware/i, 'vmware'],
  [/VirtualBox|innotek/i, 'virtualbox'],
  [/QEMU|KVM|Bochs/i, 'kvm'],
  [/Xen/i, 'xen'],
  [/Amazon EC2/i, 'kvm'],
  [/Google/i, 'kvm'],
  [/Microsoft Corporation Virtual Machine/i, 'hyper-v'],
  [/Parallels/i, 'parallels'],
]

async function virtualizationOf(machine: Machine, isGuest: boolean): Promise<string | undefined> {
  if ((await machine.read('/run/systemd/container')) !== undefined) return 'container'
  if (!isGuest) return undefined
  const names = await Promise.all(['sys_vendor', 'product_name'].map((it) => machine.read(`${DMI}/${it}`)))
  const text = names.map((it) => it?.trim() ?? '').join(' ')
  return guests.find(([form]) => form.test(text))?.[1] ?? 'unknown'
}
