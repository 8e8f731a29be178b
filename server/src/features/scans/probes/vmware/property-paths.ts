import { elements, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import type { Wanted } from './property-collector.ts'

/** What is asked of each type, in the order in which it is read: containers first, so that their names are known. */
export const wanted = {
  folders: { type: 'Folder', paths: ['name', 'parent'] },
  datacenters: { type: 'Datacenter', paths: ['name', 'parent'] },
  networks: { type: 'Network', paths: ['name', 'parent'] },
  computeResources: { type: 'ComputeResource', paths: ['name', 'parent'] },
  clusters: {
    type: 'ClusterComputeResource',
    paths: [
      'name',
      'parent',
      'summary',
      'configuration.dasConfig.enabled',
      'configuration.drsConfig.enabled',
    ],
  },
  datastores: { type: 'Datastore', paths: ['name', 'parent', 'summary', 'info'] },
  hosts: {
    type: 'HostSystem',
    paths: [
      'name',
      'parent',
      'summary.hardware',
      'summary.config.product',
      'hardware.systemInfo',
      'hardware.biosInfo',
      'runtime.connectionState',
      'runtime.powerState',
      'runtime.inMaintenanceMode',
      'config.network.pnic',
      'config.network.vnic',
      'config.network.dnsConfig',
      'datastore',
    ],
  },
  machines: {
    type: 'VirtualMachine',
    paths: [
      'name',
      'parent',
      'config.uuid',
      'config.instanceUuid',
      'config.template',
      'config.guestFullName',
      'config.guestId',
      'config.version',
      'config.firmware',
      'config.annotation',
      'config.hardware.numCPU',
      'config.hardware.memoryMB',
      'config.hardware.device',
      'guest.hostName',
      'guest.ipAddress',
      'guest.guestFullName',
      'guest.toolsRunningStatus',
      'guest.toolsVersion',
      'guest.net',
      'runtime.powerState',
      'runtime.host',
      'runtime.connectionState',
      'datastore',
      'network',
      'customValue',
      'availableField',
    ],
  },
} as const satisfies Record<string, Wanted>

export type Properties = ReadonlyMap<string, XmlElement>

/** The text of a property, or of the element below it at the path. */
export function textIn(properties: Properties, name: string, ...path: readonly string[]): string | undefined {
  const value = properties.get(name)
  return value && textAt(value, ...path)
}

export function numberIn(
  properties: Properties,
  name: string,
  ...path: readonly string[]
): number | undefined {
  return asNumber(textIn(properties, name, ...path))
}

export function asNumber(text: string | undefined): number | undefined {
  const number = text === undefined || !/^\d{1,16}$/.test(text) ? Number.NaN : Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** The elements of a property that is a list; each stands under the name of its type. */
export function listIn(properties: Properties, name: string, item: string): XmlElement[] {
  const value = properties.get(name)
  return value ? elements(value, item) : []
}
