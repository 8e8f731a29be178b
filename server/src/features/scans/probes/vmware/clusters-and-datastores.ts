import { textAt } from '#platform/formats/xml-tree.ts'
import type { PlatformObject } from '../hypervisor/machine-observation.ts'
import type { Found } from './property-collector.ts'
import { numberIn, textIn } from './property-paths.ts'
import { plain, type Tree } from './inventory-tree.ts'

/** The vCenter or ESXi host that the objects were read from. */
export interface Platform {
  /** The vCenter's UUID, or the address of an ESXi host on its own. */
  readonly id: string
  readonly isVCenter: boolean
  /** `VMware vCenter Server 8.0.2 build-22617221`. */
  readonly fullName: string
  readonly host: string
  readonly tree: Tree
}

/** A name for an object that is never given again within one vCenter; an ESXi host on its own gives none that lasts. */
export const cloudIdOf = (platform: Platform, value: string): string | undefined =>
  platform.isVCenter ? `vcenter/${platform.id}/${value}` : undefined

export const keyOf = (platform: Platform, { type, value }: Found): string =>
  `vsphere/${platform.id}/${type}/${value}`

export function describeDatacenter(
  found: Found,
  platform: Platform,
  networks: readonly string[],
): PlatformObject {
  return {
    sourceKey: keyOf(platform, found),
    assetType: 'datacenter',
    name: plain(textIn(found.properties, 'name') ?? ''),
    vendor: 'VMware, Inc.',
    cloudId: cloudIdOf(platform, found.value),
    facts: {
      platform: platform.fullName,
      managedBy: platform.host,
      folder: platform.tree.pathOf(found.properties),
      networks,
      hidden: found.hidden,
    },
  }
}

export function describeCluster(found: Found, platform: Platform): PlatformObject {
  const { properties } = found
  return {
    sourceKey: keyOf(platform, found),
    assetType: 'cluster',
    name: plain(textIn(properties, 'name') ?? ''),
    vendor: 'VMware, Inc.',
    model: 'vSphere cluster',
    cloudId: cloudIdOf(platform, found.value),
    facts: {
      platform: platform.fullName,
      managedBy: platform.host,
      datacenter: platform.tree.above(properties, 'Datacenter')?.name,
      hostCount: numberIn(properties, 'summary', 'numHosts'),
      cpuCores: numberIn(properties, 'summary', 'numCpuCores'),
      memoryMb: megabytes(numberIn(properties, 'summary', 'totalMemory')),
      highAvailability: asFlag(textIn(properties, 'configuration.dasConfig.enabled')),
      resourceScheduling: asFlag(textIn(properties, 'configuration.drsConfig.enabled')),
      hidden: found.hidden,
    },
  }
}

export function describeDatastore(found: Found, platform: Platform): PlatformObject {
  const { properties } = found
  const url = textIn(properties, 'summary', 'url') ?? textIn(properties, 'info', 'url')
  const capacity = numberIn(properties, 'summary', 'capacity')
  const free = numberIn(properties, 'summary', 'freeSpace')
  const nas = properties.get('info')
  return {
    sourceKey: keyOf(platform, found),
    assetType: 'datastore',
    name: plain(textIn(properties, 'name') ?? ''),
    vendor: 'VMware, Inc.',
    cloudId: volumeOf(url) ?? cloudIdOf(platform, found.value),
    facts: {
      platform: platform.fullName,
      managedBy: platform.host,
      datacenter: platform.tree.above(properties, 'Datacenter')?.name,
      fileSystem: textIn(properties, 'summary', 'type'),
      url,
      sizeBytes: capacity,
      freePercent: capacity && free !== undefined ? coarse((free / capacity) * 100) : undefined,
      accessible: asFlag(textIn(properties, 'summary', 'accessible')),
      shared: asFlag(textIn(properties, 'summary', 'multipleHostAccess')),
      remoteHost: nas && textAt(nas, 'nas', 'remoteHost'),
      remotePath: nas && textAt(nas, 'nas', 'remotePath'),
      hidden: found.hidden,
    },
  }
}

/** A volume has one UUID on every host and vCenter that mounts it. */
function volumeOf(url: string | undefined): string | undefined {
  const uuid = /^ds:\/\/\/vmfs\/volumes\/([0-9a-f]{8}-[0-9a-f]{8}(?:-[0-9a-f]{4}-[0-9a-f]{12})?)\/?$/i.exec(
    url ?? '',
  )
  return uuid?.[1] === undefined ? undefined : `vmfs/${uuid[1].toLowerCase()}`
}

export const asFlag = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true' || text === '1'

export const megabytes = (bytes: number | undefined): number | undefined =>
  bytes === undefined ? undefined : Math.round(bytes / 1024 / 1024)

/** In steps of five, so that a datastore looks the same at the next scan. */
const coarse = (percent: number): number => Math.round(percent / 5) * 5
