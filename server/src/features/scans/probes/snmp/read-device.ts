import type { Agent } from './protocol/agent.ts'
import { readAddresses, readVirtualAddresses, type OwnAddress } from './mibs/ip-mib.ts'
import { readEntity, type Entity } from './mibs/entity-mib.ts'
import { readHost, readInstalled, type Host, type Installed } from './mibs/host-resources-mib.ts'
import { readInterfaces, type Interface } from './mibs/if-mib.ts'
import { readOwn, type Own } from './mibs/vendor-mibs.ts'
import { readNearby, readSwitching, type Nearby, type Switching } from './mibs/arp-and-bridge-tables.ts'
import { readCdp, readLldp, type Lldp, type Neighbour } from './mibs/lldp-and-cdp.ts'
import { readPrinter, type Printer } from './mibs/printer-mib.ts'
import { readSystem, type System } from './mibs/system-group.ts'
import type { Cut } from './mibs/table.ts'
import { Walk } from './protocol/bulk-walk.ts'

/** Everything that was read from a device. */
export interface Device {
  readonly version: Agent['version']
  readonly engineId?: Buffer | undefined
  readonly system: System
  readonly own: Own
  readonly entity: Entity
  readonly interfaces: readonly Interface[]
  readonly addresses: readonly OwnAddress[]
  readonly virtualAddresses: ReadonlySet<string>
  readonly host: Host
  readonly printer: Printer | undefined
  readonly lldp: Lldp
  readonly cdp: readonly Neighbour[]
  readonly nearby: readonly Nearby[]
  readonly switching: Switching | undefined
  readonly installed: { readonly items: readonly Installed[]; readonly isComplete: boolean } | undefined
  /** Tables of which something is missing, and why. */
  readonly cuts: readonly Cut[]
}

/** Reads one table after the other, those that identify the device first. A table that fails is noted and skipped. */
export async function readDevice(agent: Agent): Promise<Device> {
  const walk = new Walk(agent)
  const system = await readSystem(walk)
  const { objectId } = system
  const own = await readOwn(walk, objectId)
  const entity = await readEntity(walk)
  const interfaces = await readInterfaces(walk)
  return {
    version: agent.version,
    engineId: agent.engineId ?? system.engineId,
    system,
    own,
    entity,
    interfaces,
    addresses: await readAddresses(walk),
    virtualAddresses: await readVirtualAddresses(walk, objectId),
    host: await readHost(walk),
    printer: await readPrinter(walk),
    lldp: await readLldp(walk, interfaces),
    cdp: await readCdp(walk),
    installed: await readInstalled(walk),
    nearby: await readNearby(walk),
    switching: await readSwitching(walk, objectId),
    cuts: walk.cuts,
  }
}
