import type { InstalledSoftware, Json, Observation, SoftwareOrigin } from '#features/assets/observation.ts'
import { boundedFacts } from '../bounded-facts.ts'
import {
  assetTypeOf,
  first,
  hostNameOf,
  identifiersOf,
  interfacesOf,
  number,
  releaseOf,
} from './wmi-classes.ts'
import { readMachine, tolerant, type Reading } from './wmi-queries.ts'
import { encryptionOf, firewallsOf } from './protection.ts'
import { installedPrograms, registry } from './registry.ts'
import type { WmiObject } from './wsman.ts'

/** Reads a Windows host. A class that the host refuses is missing and named in `facts.notes`; the rest is read. */
export async function collect(
  reading: Reading,
  { address, now }: { readonly address: string; readonly now: () => Date },
): Promise<Observation> {
  const machine = await readMachine(reading)
  const accounts = await reading.all(
    'select Name, SID, Disabled, FullName from Win32_UserAccount where LocalAccount = true',
  )
  const programs = { arch: archOf(machine.os), accounts }
  const { complete, items } = await softwareOf(reading, programs)
  const { os, system, bios, enclosure, product } = machine
  const processors = await reading.all('select Name, NumberOfLogicalProcessors from Win32_Processor')
  const isMember = first(system, 'PartOfDomain').toLowerCase() === 'true'
  const lists = {
    interfaces: interfacesOf(machine),
    firewalls: await firewallsOf(reading),
    ...(await storage(reading)),
    accounts: accounts.map(accountOf),
    ...(await activity(reading)),
  }
  const facts = {
    architecture: programs.arch,
    cpuCount: processors.reduce((sum, it) => sum + (number(it, 'NumberOfLogicalProcessors') ?? 0), 0),
    cpuModel: first(processors[0], 'Name'),
    memoryBytes: number(system, 'TotalPhysicalMemory') ?? null,
    bootedAt: instant(first(os, 'LastBootUpTime')),
    installedAt: instant(first(os, 'InstallDate')),
    biosVersion: first(bios, 'SMBIOSBIOSVersion'),
    assetTag: first(enclosure, 'SMBIOSAssetTag'),
    domain: isMember ? first(system, 'Domain') : '',
    productType: PRODUCT_TYPES[number(os, 'ProductType') ?? 0] ?? '',
    signedInUser: first(system, 'UserName'),
    ...(await encryptionOf(reading)),
  }
  return {
    sourceKey: first(product, 'UUID') || address,
    seenAt: now(),
    assetType: assetTypeOf(machine),
    name: first(system, 'Name') || hostNameOf(machine),
    os: first(os, 'Caption'),
    vendor: first(system, 'Manufacturer'),
    model: first(system, 'Model'),
    identifiers: identifiersOf(machine, address),
    facts: boundedFacts({ facts, lists, notes: reading.notes }),
    software: { release: releaseOf(machine), complete, items },
  }
}

/** `ProductType` of Win32_OperatingSystem. */
const PRODUCT_TYPES: Readonly<Record<number, string>> = {
  1: 'workstation',
  2: 'domain controller',
  3: 'server',
}

interface Programs {
  readonly arch: string
  readonly accounts: readonly WmiObject[]
}

async function softwareOf({ service, notes }: Reading, { arch, accounts }: Programs) {
  const items: InstalledSoftware[] = []
  const complete: SoftwareOrigin[] = []
  const listed = async (origin: SoftwareOrigin, read: () => Promise<void>): Promise<void> => {
    const isWhole = await tolerant(origin, notes, () => read().then(() => true), false)
    if (isWhole) complete.push(origin)
  }
  await listed('windows', async () => {
    const names = new Map(accounts.map((it) => [first(it, 'SID'), first(it, 'Name')]))
    const programs = installedPrograms({ registry: registry(service), arch, accounts: names })
    for await (const program of programs) items.push(program)
  })
  await listed('hotfix', async () => {
    const fixes = await service.query('select HotFixID, InstalledOn from Win32_QuickFixEngineering')
    for (const fix of fixes) items.push(hotfix(fix))
  })
  return { complete, items }
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

async function storage({ all }: Reading): Promise<Record<'disks' | 'fileSystems', Json[]>> {
  const disks = await all('select Model, Size, SerialNumber from Win32_DiskDrive')
  const volumes = await all(
    'select DeviceID, Size, FreeSpace, FileSystem from Win32_LogicalDisk where DriveType = 3',
  )
  return {
    disks: disks.map((it) => ({
      name: first(it, 'Model'),
      bytes: number(it, 'Size') ?? null,
      serial: first(it, 'SerialNumber'),
    })),
    fileSystems: volumes.map((it) => ({
      mount: first(it, 'DeviceID'),
      kind: first(it, 'FileSystem'),
      bytes: number(it, 'Size') ?? null,
      used: (number(it, 'Size') ?? 0) - (number(it, 'FreeSpace') ?? 0),
    })),
  }
}

async function activity({ all }: Reading): Promise<Record<'listening' | 'services', Json[]>> {
  const listening = await all(
    'select LocalAddress, LocalPort from MSFT_NetTCPConnection where State = 2',
    'root/StandardCimv2',
  )
  const services = await all("select Name from Win32_Service where State = 'Running'")
  return {
    listening: listening.map((it) => `tcp ${first(it, 'LocalAddress')} ${first(it, 'LocalPort')}`),
    services: services.map((it) => first(it, 'Name')).toSorted(),
  }
}

const accountOf = (account: WmiObject): Json => ({
  name: first(account, 'Name'),
  title: first(account, 'FullName'),
  // of the SID, whose last part is 500 for the built-in administrator and 501 for the guest
  rid: Number(first(account, 'SID').split('-').at(-1)) || null,
  isDisabled: first(account, 'Disabled').toLowerCase() === 'true',
})

/** RFC 3339 in UTC; empty when it is none. */
function instant(text: string): string {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
