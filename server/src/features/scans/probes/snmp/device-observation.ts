import type { Identifier, Observation } from '#features/assets/observation.ts'
import { isHostName } from '../sweep/names/host-names.ts'
import { factsOf } from './device-facts.ts'
import { hasOwnMac, isOwn } from './mibs/if-mib.ts'
import { osName } from './os-name.ts'
import type { Device } from './read-device.ts'
import { softwareOf } from './mibs/installed-software.ts'

const MACS_MAX = 500
const ADDRESSES_MAX = 300
const NOT_TELLING = /^(127\.|0\.|255\.255\.255\.255$|169\.254\.|22[4-9]\.|23\d\.|::1?$|fe[89ab]|ff)/i
const LOCAL_BIT = 0x02

/** What SNMP saw of a device, in the form of the intake. Of the addresses it knows, only its own identify it. */
export function observationOf(device: Device, target: string, seenAt: Date): Observation {
  const { system, own, entity, printer } = device
  const [chassis] = entity.chassis
  const os = osName(system.description, own)
  const vendor = chassis?.maker ?? own.vendor
  const model = chassis?.model ?? own.model
  const software = softwareOf(device.installed)
  const serials = serialsOf(device)
  const macs = macsOf(device)
  const identifiers: Identifier[] = [
    ...addressesOf(device, target).map((value) => ({ type: 'ip' as const, value })),
    ...macs.map((value) => ({ type: 'mac' as const, value })),
    ...serials.map((value) => ({ type: 'serial' as const, value })),
    ...engineOf(device),
    ...chassisIdOf(device),
    ...(system.name !== undefined && isHostName(system.name)
      ? [{ type: 'hostname' as const, value: system.name }]
      : []),
  ]
  const name = system.name ?? printer?.name
  return {
    // with the address alone, whatever has it next would be taken for this device
    sourceKey: `${target}|${macOfTarget(device, target) ?? macs[0] ?? serials[0] ?? ''}`,
    seenAt,
    identifiers,
    ...(isEsxi(device) && { assetType: 'hypervisor' as const }),
    ...(name !== undefined && { name }),
    ...(os !== undefined && { os }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(software && { software }),
    facts: factsOf(device, seenAt),
  }
}

/** Of the case, or of each member of a stack; else what the vendor's MIB or the Printer MIB reports. */
function serialsOf({ entity, own, printer }: Device): string[] {
  const ofChassis = entity.chassis.map((it) => it.serial).filter((it) => it !== undefined)
  const others = [own.serial, printer?.serial].filter((it) => it !== undefined)
  return [...new Set(ofChassis.length > 0 ? ofChassis : others.slice(0, 1))]
}

function macsOf({ interfaces, switching }: Device): string[] {
  const ofInterfaces = interfaces.filter(hasOwnMac).map((it) => it.mac)
  const all = ofInterfaces.length > 0 ? ofInterfaces : [switching?.bridgeMac]
  return [...new Set(all.filter((it) => it !== undefined))].slice(0, MACS_MAX)
}

/** The one that was asked first, unless routers pass it among them. */
function addressesOf({ interfaces, addresses, virtualAddresses }: Device, target: string): string[] {
  const foreign = new Set(interfaces.filter((it) => !isOwn(it)).map((it) => it.index))
  const own = addresses
    .filter((it) => it.interfaceIndex === undefined || !foreign.has(it.interfaceIndex))
    .map((it) => it.address)
    .filter((it) => !NOT_TELLING.test(it))
  return [...new Set([target, ...own])].filter((it) => !virtualAddresses.has(it)).slice(0, ADDRESSES_MAX)
}

function macOfTarget({ interfaces, addresses }: Device, target: string): string | undefined {
  const at = addresses.find((it) => it.address === target)
  const holder = interfaces.find((it) => it.index === at?.interfaceIndex)
  return holder && hasOwnMac(holder) ? holder.mac : undefined
}

const engineOf = ({ engineId }: Device): Identifier[] =>
  engineId && engineId.length >= ENGINE_ID_OCTETS.min && engineId.length <= ENGINE_ID_OCTETS.max
    ? [{ type: 'snmp_engine', value: engineId.toString('hex') }]
    : []

/** RFC 3411, SnmpEngineID. */
const ENGINE_ID_OCTETS = { min: 5, max: 32 }

/** On Linux the first interface decides it, and that may be a bridge that many hosts have alike. */
const chassisIdOf = ({ lldp: { chassisMac } }: Device): Identifier[] =>
  chassisMac !== undefined && !(Number.parseInt(chassisMac.slice(0, 2), 16) & LOCAL_BIT)
    ? [{ type: 'chassis_id', value: chassisMac }]
    : []

const isEsxi = ({ system }: Device): boolean =>
  (system.description ?? '').startsWith('VMware ESX') ||
  (system.objectId ?? '').startsWith('1.3.6.1.4.1.6876.4.')
