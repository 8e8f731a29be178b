import { isObject, numberOf, objectsIn, textOf, type JsonObject } from './proxmox-api.ts'
import type { PlatformObject } from './machine-observation.ts'

/** All that was answered of one guest. */
export interface GuestAnswers {
  /** Its line in the cluster's list. */
  readonly line: JsonObject
  readonly config: unknown
  /** Of the agent in a virtual machine, or of the host about a container. */
  readonly interfaces: unknown
  readonly hostname: unknown
  readonly os: unknown
}

/** A virtual machine or a container of Proxmox VE. */
export function describeGuest(scope: string, answers: GuestAnswers): PlatformObject {
  const { line } = answers
  const config = isObject(answers.config) ? answers.config : {}
  const isContainer = line.type === 'lxc'
  const smbios = smbiosOf(textOf(config.smbios1) ?? '')
  const cards = cardsOf(config)
  const reported = interfacesOf(answers.interfaces)
  const addressesOf = (mac: string): readonly string[] =>
    reported.flatMap((it) => (it.mac === mac ? it.addresses : []))
  const hostname = textOf(resultOf(answers.hostname)['host-name']) ?? textOf(config.hostname)
  return {
    sourceKey: `proxmox/${scope}/${textOf(line.vmid) ?? ''}`,
    assetType: 'virtual_machine',
    name: textOf(config.name) ?? textOf(config.hostname) ?? textOf(line.name),
    os: textOf(resultOf(answers.os)['pretty-name']),
    vendor: isContainer ? undefined : (smbios.manufacturer ?? 'QEMU'),
    model: smbios.product,
    serial: smbios.serial,
    uuid: isContainer ? undefined : smbios.uuid,
    macs: cards.map(({ mac }) => mac),
    hostnames: [hostname],
    addresses: [...cards.flatMap(({ mac }) => addressesOf(mac)), ...cards.flatMap(({ fixed }) => fixed)],
    tags: [...(textOf(line.tags) ?? '').split(/[;,\s]+/), ...(isTemplate(line) ? ['template'] : [])],
    facts: {
      platform: isContainer ? 'Proxmox VE container' : 'Proxmox VE virtual machine',
      host: textOf(line.node),
      powerState: powerOf(textOf(line.status)),
      template: isTemplate(line) || undefined,
      vmid: numberOf(line.vmid),
      pool: textOf(line.pool),
      cpuCount: numberOf(line.maxcpu),
      memoryMb: megabytes(numberOf(line.maxmem)),
      disks: disksOf(config),
      interfaces: cards.map(({ name, mac, network }) => ({
        name,
        mac,
        network,
        addresses: addressesOf(mac),
      })),
      configuredOs: textOf(config.ostype),
      firmware: textOf(config.bios),
      machine: textOf(config.machine),
      annotation: textOf(config.description),
      biosUuid: smbios.uuid,
    },
  }
}

const isTemplate = (line: JsonObject): boolean => numberOf(line.template) === 1

const powerOf = (status: string | undefined): string | undefined =>
  status === 'running' ? 'on' : status === 'stopped' ? 'off' : status

export const megabytes = (bytes: number | undefined): number | undefined =>
  bytes === undefined ? undefined : Math.round(bytes / 1024 ** 2)

/** `a=1,b=2`; what comes before the first `=` of a part is its name. */
function pairsIn(text: string): Map<string, string> {
  const parts = text.slice(0, TEXT_LENGTH_MAX).split(',')
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const at = part.indexOf('=')
      return at < 0 ? [] : [[part.slice(0, at), part.slice(at + 1)]]
    }),
  )
}

const TEXT_LENGTH_MAX = 4_096

interface Smbios {
  readonly uuid: string | undefined
  readonly serial: string | undefined
  readonly manufacturer: string | undefined
  readonly product: string | undefined
}

/** With `base64=1` the texts are encoded, the UUID never is. */
function smbiosOf(text: string): Smbios {
  const pairs = pairsIn(text)
  const plain = (name: string): string | undefined => {
    const value = pairs.get(name)
    return value !== undefined && pairs.get('base64') === '1'
      ? Buffer.from(value, 'base64').toString()
      : value
  }
  return {
    uuid: pairs.get('uuid'),
    serial: plain('serial'),
    manufacturer: plain('manufacturer'),
    product: plain('product'),
  }
}

interface Card {
  readonly name: string
  readonly mac: string
  readonly network: string
  /** Addresses that the configuration gives a container. */
  readonly fixed: readonly string[]
}

const CARDS_MAX = 32
const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i

/** `net0: virtio=BC:24:11:00:00:01,bridge=vmbr0` or `net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:…,ip=10.0.0.5/24`. */
function cardsOf(config: JsonObject): Card[] {
  return Array.from({ length: CARDS_MAX }, (_, i) => `net${i}`).flatMap((name): Card[] => {
    const pairs = pairsIn(textOf(config[name]) ?? '')
    const mac = pairs.get('hwaddr') ?? [...pairs.values()].find((value) => MAC.test(value))
    if (mac === undefined) return []
    const [bridge, tag] = [pairs.get('bridge') ?? '', pairs.get('tag')]
    return [
      {
        name: pairs.get('name') ?? name,
        mac: mac.toLowerCase(),
        network: tag === undefined ? bridge : `${bridge}.${tag}`,
        fixed: [pairs.get('ip'), pairs.get('ip6')].flatMap((it) => withoutPrefix(it)),
      },
    ]
  })
}

/** `dhcp`, `manual` and `auto` are no addresses. */
const withoutPrefix = (address: string | undefined): string[] =>
  address === undefined || !/^[0-9a-f:.]+(?:\/\d{1,3})?$/i.test(address) ? [] : [address.replace(/\/.*$/, '')]

const DISK = /^(?:(?:ide|sata|scsi|virtio|mp)\d{1,3}|rootfs|efidisk0|tpmstate0)$/

/** `scsi0: local-lvm:vm-100-disk-0,iothread=1,size=32G` */
function disksOf(
  config: JsonObject,
): { name: string; file: string; size: string; sizeBytes: number | null }[] {
  return Object.keys(config)
    .filter((name) => DISK.test(name))
    .flatMap((name) => {
      const text = textOf(config[name]) ?? ''
      const [size, file] = [pairsIn(text).get('size') ?? '', text.split(',')[0] ?? '']
      const isMedium = pairsIn(text).get('media') === 'cdrom'
      return isMedium ? [] : [{ name, file, size, sizeBytes: bytesOf(size) ?? null }]
    })
}

function bytesOf(size: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([KMGT]?)$/.exec(size) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * 1024 ** ' KMGT'.indexOf(unit || ' '))
}

const resultOf = (answer: unknown): JsonObject =>
  isObject(answer) && isObject(answer.result) ? answer.result : {}

interface Interface {
  readonly mac: string
  readonly addresses: readonly string[]
}

/** The agent answers `{ result: [...] }`, the host of a container a list. */
function interfacesOf(answer: unknown): Interface[] {
  return objectsIn(isObject(answer) ? answer.result : answer).map((it) => ({
    mac: (textOf(it['hardware-address']) ?? textOf(it.hwaddr) ?? '').toLowerCase(),
    addresses: [
      ...objectsIn(it['ip-addresses']).flatMap((each) => textOf(each['ip-address']) ?? []),
      ...[it.inet, it.inet6].flatMap((each) => withoutPrefix(textOf(each))),
    ],
  }))
}
