import type { Machine } from './wmi-classes.ts'
import { registry } from './registry.ts'
import { SoapFault } from './soap.ts'
import type { WmiObject, Wsman } from './wsman.ts'

/** The queries to one host: the objects of each class, and notes on the classes that it refused. */
export interface Reading {
  readonly service: Wsman
  /** Of each class that this Windows does not have, or that this account may not read. */
  readonly notes: string[]
  /** Undefined where the class has no objects. */
  readonly all: (wql: string, namespace?: string) => Promise<WmiObject[]>
}

export function reading(service: Wsman): Reading {
  const notes: string[] = []
  return {
    service,
    notes,
    all: (wql, namespace) =>
      tolerant(/from (\w+)/i.exec(wql)?.[1] ?? wql, notes, () => service.query(wql, namespace), []),
  }
}

export async function tolerant<T>(
  what: string,
  notes: string[],
  read: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    notes.push(`${what}: ${error.message}`)
    return otherwise
  }
}

/** Throws a `SoapFault` when the host refuses even Win32_OperatingSystem. */
export async function readMachine({ service, notes, all }: Reading): Promise<Machine> {
  const [os] = await service.query('select * from Win32_OperatingSystem')
  if (!os) throw new SoapFault('NoAnswer', 'Win32_OperatingSystem has no instance')
  const one = async (name: string): Promise<WmiObject> =>
    (await all(`select * from ${name}`))[0] ?? new Map<string, string[]>()
  const { text, number } = registry(service)
  const valueOf = <T>(read: () => Promise<T>): Promise<T | undefined> =>
    tolerant<T | undefined>('registry', notes, read, undefined)
  return {
    os,
    system: await one('Win32_ComputerSystem'),
    product: await one('Win32_ComputerSystemProduct'),
    bios: await one('Win32_BIOS'),
    enclosure: await one('Win32_SystemEnclosure'),
    adapters: await all('select * from Win32_NetworkAdapter where PhysicalAdapter = true'),
    configurations: await all('select * from Win32_NetworkAdapterConfiguration where IPEnabled = true'),
    machineGuid: await valueOf(() => text(MACHINE, 'SOFTWARE\\Microsoft\\Cryptography', 'MachineGuid')),
    revision: await valueOf(() => number(MACHINE, CURRENT_VERSION, 'UBR')),
    displayVersion: await valueOf(() => text(MACHINE, CURRENT_VERSION, 'DisplayVersion')),
  }
}

const MACHINE = 'HKEY_LOCAL_MACHINE'
const CURRENT_VERSION = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
