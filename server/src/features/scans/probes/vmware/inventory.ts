import type { Seen } from '../hypervisor/machine-observation.ts'
import { collect, type CollectLimits, type Found, type Wanted } from './property-collector.ts'
import { hostSeen } from './esxi-host.ts'
import { machineSeen } from './virtual-machine.ts'
import { clusterSeen, datacenterSeen, datastoreSeen, type Platform } from './clusters-and-datastores.ts'
import { wanted } from './property-paths.ts'
import type { Service } from './session.ts'
import { newTree } from './inventory-tree.ts'

/** Everything in the inventory, containers first. Holds names of containers and hosts, and one page of the rest. */
export async function* readInventory(
  service: Service,
  host: string,
  limits: CollectLimits,
): AsyncGenerator<Seen> {
  const { isVCenter, fullName } = service
  const tree = newTree(service.rootFolder)
  const platform: Platform = { id: service.instanceUuid ?? host, isVCenter, fullName, host, tree }
  const each = async function* (what: Wanted): AsyncGenerator<Found> {
    for await (const page of collect(service, what, limits)) yield* page
  }
  const tagged = async function* (what: Wanted, seen: (found: Found) => Seen): AsyncGenerator<Seen> {
    for await (const page of collect(service, what, limits)) {
      const tags = await service.tags.of(page)
      for (const found of page) {
        const told = seen(found)
        yield { ...told, tags: [...(told.tags ?? []), ...(tags.get(found.value) ?? [])] }
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
      yield datacenterSeen(datacenter, platform, networks.get(datacenter.value) ?? [])
  for await (const resource of each(wanted.computeResources)) tree.add(resource)
  yield* tagged(wanted.clusters, (cluster) => clusterSeen(cluster, platform))
  yield* tagged(wanted.datastores, (datastore) => {
    tree.add(datastore)
    return datastoreSeen(datastore, platform)
  })
  yield* tagged(wanted.hosts, (host) => {
    tree.add(host)
    return hostSeen(host, platform)
  })
  yield* tagged(wanted.machines, (machine) => machineSeen(machine, platform))
}
