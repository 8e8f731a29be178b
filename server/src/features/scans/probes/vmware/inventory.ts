import type { PlatformObject } from '../hypervisor/machine-observation.ts'
import { collect, type CollectLimits, type Found, type Wanted } from './property-collector.ts'
import { describeHost } from './esxi-host.ts'
import { describeMachine } from './virtual-machine.ts'
import {
  describeCluster,
  describeDatacenter,
  describeDatastore,
  type Platform,
} from './clusters-and-datastores.ts'
import { wanted } from './property-paths.ts'
import type { Service } from './session.ts'
import { newTree } from './inventory-tree.ts'

type Describe = (found: Found) => PlatformObject

/** Everything in the inventory, containers first. Holds names of containers and hosts, and one page of the rest. */
export async function* readInventory(
  service: Service,
  host: string,
  limits: CollectLimits,
): AsyncGenerator<PlatformObject> {
  const { isVCenter, fullName } = service
  const tree = newTree(service.rootFolder)
  const platform: Platform = { id: service.instanceUuid ?? host, isVCenter, fullName, host, tree }
  const each = async function* (what: Wanted): AsyncGenerator<Found> {
    for await (const page of collect(service, what, limits)) yield* page
  }
  const tagged = async function* (what: Wanted, describe: Describe): AsyncGenerator<PlatformObject> {
    for await (const page of collect(service, what, limits)) {
      const tags = await service.tags.of(page)
      for (const found of page) {
        const object = describe(found)
        yield { ...object, tags: [...(object.tags ?? []), ...(tags.get(found.value) ?? [])] }
      }
    }
  }
  for await (const folder of each(wanted.folders)) tree.add(folder)
  const datacenters: Found[] = []
  for await (const datacenter of each(wanted.datacenters)) {
    tree.add(datacenter)
    datacenters.push(datacenter)
  }
  const networks = new Map<string, string[]>()
  for await (const network of each(wanted.networks)) {
    tree.add(network)
    const place = tree.above(network.properties, 'Datacenter')?.value ?? ''
    const names = networks.get(place) ?? []
    names.push(tree.nameOf(network) ?? '')
    networks.set(place, names)
  }
  // the one of an ESXi host on its own is a form without content
  if (isVCenter)
    for (const datacenter of datacenters)
      yield describeDatacenter(datacenter, platform, networks.get(datacenter.value) ?? [])
  for await (const resource of each(wanted.computeResources)) tree.add(resource)
  yield* tagged(wanted.clusters, (cluster) => describeCluster(cluster, platform))
  yield* tagged(wanted.datastores, (datastore) => {
    tree.add(datastore)
    return describeDatastore(datastore, platform)
  })
  yield* tagged(wanted.hosts, (host) => {
    tree.add(host)
    return describeHost(host, platform)
  })
  yield* tagged(wanted.machines, (machine) => describeMachine(machine, platform))
}
