import type { InstalledSoftware, Json, Observation, SoftwareOrigin } from '#features/assets/observation.ts'
import {
  assetTypeOf,
  deviceTypeOf,
  first,
  hostNameOf,
  identifiersOf,
  interfacesOf,
  number,
  releaseOf,
  type Machine,
} from './machine.ts'
import { installedPrograms, registry } from './registry.ts'
import { SoapFault } from './soap.ts'
import type { WmiObject, Wsman } from './wsman.ts'

/** Reads a Windows host. What one class refuses to tell is missing and named in `facts.notRead`; the rest is there. */
export async function collect(
  service: Wsman,
  { address, now }: { readonly address: string; readonly now: () => Date },
): Promise<Observation> {
  const notRead: string[] = []
  const all = async (wql: string, namespace?: string): Promise<WmiObject[]> => {
    const what = /from (\w+)/i.exec(wql)?.[1] ?? wql
    return tolerant(what, notRead, () => service.query(wql, namespace), [])
  }
  const [os] = await service.query('select * from Win32_OperatingSystem')
  if (!os) throw new SoapFault('NoAnswer', 'Win32_OperatingSystem has no instance')
  const one = async (wql: string): Promise<WmiObject> => (await all(wql))[0] ?? new Map<string, string[]>()
  const registers = registry(service)
  const valueOf = <T>(read: Promise<T>): Promise<T | undefined> =>
    tolerant<T | undefined>('registry', notRead, () => read, undefined)
  const machine: Machine = {
    os,
    system: await one('select * from Win32_ComputerSystem'),
    product: await one('select * from Win32_ComputerSystemProduct'),
    bios: await one('select * from Win32_BIOS'),
    enclosure: await one('select * from Win32_SystemEnclosure'),
    adapters: await all('select * from Win32_NetworkAdapter where PhysicalAdapter = true'),
    configurations: await all('select * from Win32_NetworkAdapterConfiguration where IPEnabled = true'),
    machineGuid: await valueOf(registers.text(MACHINE, 'SOFTWARE\\Microsoft\\Cryptography', 'MachineGuid')),
    revision: await valueOf(registers.number(MACHINE, CURRENT_VERSION, 'UBR')),
    displayVersion: await valueOf(registers.text(MACHINE, CURRENT_VERSION, 'DisplayVersion')),
  }
  const users = await all(
    'select Name, SID, Disabled, FullName from Win32_UserAccount where LocalAccount = true',
  )
  const software = await softwareOf(service, { machine, users, notRead })
  const facts = { ...factsOf(machine), ...(await details(all)), users: users.map(userOf) }
  const identifiers = identifiersOf(machine)
  return {
    sourceKey: first(machine.product, 'UUID') || address,
    seenAt: now(),
    assetType: assetTypeOf(machine),
    name: first(machine.system, 'Name') || hostNameOf(machine),
    os: first(os, 'Caption'),
    vendor: first(machine.system, 'Manufacturer'),
    model: first(machine.system, 'Model'),
    identifiers: identifiers.some(({ type, value }) => type === 'ip' && value === address)
      ? identifiers
      : [...identifiers, { type: 'ip', value: address }],
    facts: { ...facts, ...(notRead.length > 0 && { notRead: [...new Set(notRead)] }) },
    software,
  }
}

const MACHINE = 'HKEY_LOCAL_MACHINE'
const CURRENT_VERSION = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'

/** A class that this Windows does not have, or that this account may not read, leaves a gap. */
async function tolerant<T>(
  what: string,
  notRead: string[],
  read: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    notRead.push(`${what}: ${error.message}`)
    return otherwise
  }
}

interface SoftwareScene {
  readonly machine: Machine
  readonly users: readonly WmiObject[]
  readonly notRead: string[]
}

async function softwareOf(service: Wsman, { machine, users, notRead }: SoftwareScene) {
  const items: InstalledSoftware[] = []
  const complete: SoftwareOrigin[] = []
  const listed = async (origin: SoftwareOrigin, read: () => Promise<void>): Promise<void> => {
    const isWhole = await tolerant(origin, notRead, () => read().then(() => true), false)
    if (isWhole) complete.push(origin)
  }
  await listed('windows', async () => {
    const programs = installedPrograms({
      registry: registry(service),
      arch: archOf(machine.os),
      accounts: new Map(users.map((it) => [first(it, 'SID'), first(it, 'Name')])),
    })
    for await (const program of programs) items.push(program)
  })
  await listed('hotfix', async () => {
    const fixes = await service.query('select HotFixID, InstalledOn from Win32_QuickFixEngineering')
    for (const fix of fixes) items.push(hotfix(fix))
  })
  return { release: releaseOf(machine), complete, items }
}

function archOf(os: WmiObject): string {
  const text = first(os, 'OSArchitecture')
  if (/arm/i.test(text)) return 'arm64'
  return text.startsWith('64') ? 'x64' : 'x86'
}

/** `InstalledOn` is written month first, whatever the language. */
function hotfix(fix: WmiObject): InstalledSoftware {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(first(fix, 'InstalledOn')) ?? []
  const installedAt = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return {
    origin: 'hotfix',
    name: first(fix, 'HotFixID'),
    version: '',
    vendor: 'Microsoft',
    ...(!Number.isNaN(installedAt.getTime()) && { installedAt }),
  }
}

function factsOf(machine: Machine): Record<string, Json> {
  const { os, system, bios, enclosure } = machine
  return {
    deviceType: deviceTypeOf(os),
    interfaces: interfacesOf(machine),
    domain: first(system, 'PartOfDomain').toLowerCase() === 'true' ? first(system, 'Domain') : '',
    memoryBytes: number(system, 'TotalPhysicalMemory') ?? 0,
    bootedAt: first(os, 'LastBootUpTime'),
    installedAt: first(os, 'InstallDate'),
    bios: { vendor: first(bios, 'Manufacturer'), version: first(bios, 'SMBIOSBIOSVersion') },
    assetTag: first(enclosure, 'SMBIOSAssetTag'),
    signedInUser: first(system, 'UserName'),
  }
}

type All = (wql: string, namespace?: string) => Promise<WmiObject[]>

async function details(all: All): Promise<Record<string, Json>> {
  const processors = await all('select Name, NumberOfCores, NumberOfLogicalProcessors from Win32_Processor')
  const disks = await all('select Model, Size, SerialNumber, InterfaceType from Win32_DiskDrive')
  const volumes = await all(
    'select DeviceID, Size, FreeSpace, FileSystem from Win32_LogicalDisk where DriveType = 3',
  )
  const services = await all('select Name, DisplayName, State, StartMode from Win32_Service')
  const listening = await all(
    'select LocalAddress, LocalPort from MSFT_NetTCPConnection where State = 2',
    'root/StandardCimv2',
  )
  return {
    processors: processors.map((it) => ({
      name: first(it, 'Name'),
      cores: number(it, 'NumberOfCores') ?? 0,
      threads: number(it, 'NumberOfLogicalProcessors') ?? 0,
    })),
    disks: disks.map((it) => ({
      model: first(it, 'Model'),
      bytes: number(it, 'Size') ?? 0,
      serial: first(it, 'SerialNumber'),
    })),
    filesystems: volumes.map((it) => ({
      mount: first(it, 'DeviceID'),
      type: first(it, 'FileSystem'),
      bytes: number(it, 'Size') ?? 0,
      freeBytes: number(it, 'FreeSpace') ?? 0,
    })),
    services: services.map((it) => ({
      name: first(it, 'Name'),
      title: first(it, 'DisplayName'),
      state: first(it, 'State').toLowerCase(),
      start: first(it, 'StartMode').toLowerCase(),
    })),
    listening: listening.map((it) => ({
      protocol: 'tcp',
      address: first(it, 'LocalAddress'),
      port: number(it, 'LocalPort') ?? 0,
    })),
  }
}

const userOf = (account: WmiObject): Json => ({
  name: first(account, 'Name'),
  title: first(account, 'FullName'),
  isDisabled: first(account, 'Disabled').toLowerCase() === 'true',
})
