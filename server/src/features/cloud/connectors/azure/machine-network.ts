import { listAt, objectAt, textAt } from '../read-json.ts'
import type { AzureApi } from './azure-api.ts'
import { rowsOf } from './resource-graph.ts'

export interface MachineNetwork {
  readonly macs: readonly string[]
  /** Private ones first. */
  readonly ips: readonly string[]
  readonly publicIps: readonly string[]
}

/** By the resource id of the machine, in lower case. */
export type NetworkOfMachines = ReadonlyMap<string, MachineNetwork>

const QUERY =
  "resources | where type in~ ('microsoft.network/networkinterfaces', 'microsoft.network/publicipaddresses') " +
  '| project id, type, properties | order by id asc'

/** The addresses of all machines: their rows name interfaces alone, and interfaces name public addresses alone. */
export async function networkOfMachines(
  api: AzureApi,
  subscriptions: readonly string[],
): Promise<NetworkOfMachines> {
  const publicAddresses = new Map<string, string>()
  const interfaces: Interface[] = []
  for await (const rows of rowsOf(api, subscriptions, QUERY))
    for (const row of rows) {
      const isInterface = textAt(row, 'type').toLowerCase().endsWith('/networkinterfaces')
      if (isInterface) interfaces.push(...interfaceOf(row))
      else publicAddresses.set(textAt(row, 'id').toLowerCase(), textAt(row, 'properties', 'ipAddress'))
    }
  const machines = new Map<string, { macs: string[]; ips: string[]; publicIps: string[] }>()
  for (const { machine, mac, ips, publicIds } of interfaces) {
    const of = machines.get(machine) ?? { macs: [], ips: [], publicIps: [] }
    machines.set(machine, of)
    if (mac !== '') of.macs.push(mac)
    of.ips.push(...ips)
    of.publicIps.push(...publicIds.map((id) => publicAddresses.get(id) ?? '').filter((it) => it !== ''))
  }
  return machines
}

interface Interface {
  readonly machine: string
  /** Empty where the machine has not run yet. */
  readonly mac: string
  readonly ips: readonly string[]
  readonly publicIds: readonly string[]
}

function interfaceOf(row: unknown): Interface[] {
  const properties = objectAt(row, 'properties')
  const machine = textAt(properties, 'virtualMachine', 'id').toLowerCase()
  if (machine === '') return []
  const configurations = listAt(properties, 'ipConfigurations')
  const all = (...path: string[]) =>
    configurations.map((it) => textAt(it, 'properties', ...path)).filter((it) => it !== '')
  return [
    {
      machine,
      mac: textAt(properties, 'macAddress'),
      ips: all('privateIPAddress'),
      publicIds: all('publicIPAddress', 'id').map((id) => id.toLowerCase()),
    },
  ]
}
