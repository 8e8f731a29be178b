import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

/** sw_vers(1): `ProductName`, `ProductVersion`. The machine id is the UUID that I/O Kit gives the platform. */
export async function operatingSystem(machine: Machine): Promise<Json> {
  const version = pairsIn((await machine.run('sw_vers', [])) ?? '')
  const [name = 'macOS', number = ''] = [version.get('ProductName'), version.get('ProductVersion')]
  const system = pairsIn((await machine.run('sysctl', ['kern.osrelease', 'kern.hostname'])) ?? '')
  return present({
    id: 'macos',
    versionId: number,
    prettyName: `${name} ${number}`.trim(),
    kernel: system.get('kern.osrelease'),
    arch: machine.arch,
    hostname: system.get('kern.hostname')?.replace(/\.local$/, ''),
    timeZone: (await machine.link('/etc/localtime'))?.replace(/^.*zoneinfo\//, ''),
  })
}

/** `name: value` lines. */
export const pairsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
    }),
  )

export async function hardware(machine: Machine): Promise<Json> {
  const platform = (await machine.run('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'])) ?? ''
  const system = pairsIn(
    (await machine.run('sysctl', [
      'hw.memsize',
      'hw.packages',
      'hw.physicalcpu',
      'hw.logicalcpu',
      'machdep.cpu.brand_string',
    ])) ?? '',
  )
  const number = (name: string): number | undefined => Number(system.get(name)) || undefined
  const [model, uuid] = [valueIn(platform, 'model'), valueIn(platform, 'IOPlatformUUID')]
  const virtualization = guests.find(([form]) => form.test(model ?? ''))?.[1]
  return present({
    vendor: valueIn(platform, 'manufacturer') ?? 'Apple Inc.',
    model,
    serial: valueIn(platform, 'IOPlatformSerialNumber'),
    uuid: uuid?.toLowerCase(),
    cpuModel: system.get('machdep.cpu.brand_string'),
    cpuSockets: number('hw.packages'),
    cpuCores: number('hw.physicalcpu'),
    cpuThreads: number('hw.logicalcpu'),
    memoryBytes: number('hw.memsize'),
    virtualization,
  })
}

/** A property of ioreg(8): `"model" = <"MacBookPro18,3">` or `"IOPlatformUUID" = "…"`. */
function valueIn(text: string, name: string): string | undefined {
  const line = text.split('\n').find((it) => it.includes(`"${name}" =`))
  return /= <?"([^"]*)">?/.exec(line ?? '')?.[1]
}

const guests: readonly (readonly [RegExp, string])[] = [
  [/^VMware/i, 'vmware'],
  [/^VirtualMac/i, 'apple'],
  [/^Parallels/i, 'parallels'],
]

/** Made by the system for its own use, by tunnels and by virtual machines. */
const MADE = /^(lo|utun|awdl|llw|bridge|anpi|ap\d|gif|stf|vmenet|vmnet|feth|ipsec)/

export async function networkInterfaces(machine: Machine): Promise<Json> {
  return Object.entries(machine.interfaces())
    .filter(([name]) => !MADE.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, addresses = []]) =>
      present({
        name,
        mac: addresses[0]?.mac,
        addresses: addresses.map(({ address }) => address).toSorted(),
        isVirtual: !/^en\d/.test(name),
      }),
    )
}
