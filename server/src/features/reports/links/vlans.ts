interface Vlan {
  readonly id: number
  readonly site: string | null
  readonly names: Set<string>
  readonly switches: Set<string>
  readonly devices: Set<string>
}

const LISTED_MAX = 12
const VLAN_MAX = 4_094

/** The VLANs of each site: what switches call them, which switches have them, and what was learned in them. */
export class Vlans {
  readonly #vlans = new Map<string, Vlan>()

  addNamed(
    site: string | null,
    { id, name }: { readonly id: number; readonly name: string },
    on: string,
  ): void {
    const vlan = this.#vlan(site, id)
    if (!vlan) return
    if (name !== '') vlan.names.add(name)
    vlan.switches.add(on)
  }

  /** A switch has learned the device on the VLAN. */
  addDevice(
    site: string | null,
    id: number,
    { on, device }: { readonly on: string; readonly device: string },
  ): void {
    const vlan = this.#vlan(site, id)
    vlan?.switches.add(on)
    vlan?.devices.add(device)
  }

  /** By site, those without one at the end, then by number. */
  rows() {
    const sorted = [...this.#vlans.values()].sort((a, b) => bySite(a.site, b.site) || a.id - b.id)
    return sorted.map(({ id, site, names, switches, devices }) => ({
      site,
      vlan: id,
      name: names.size === 0 ? null : listed(names),
      switches: switches.size,
      which: listed(switches),
      // no forwarding table was told, which is not that nobody is there
      devices: devices.size === 0 ? null : devices.size,
    }))
  }

  #vlan(site: string | null, id: number): Vlan | undefined {
    if (!Number.isInteger(id) || id < 1 || id > VLAN_MAX) return undefined
    const key = `${id} ${site ?? ''}`
    const known = this.#vlans.get(key)
    if (known) return known
    const made = {
      id,
      site,
      names: new Set<string>(),
      switches: new Set<string>(),
      devices: new Set<string>(),
    }
    this.#vlans.set(key, made)
    return made
  }
}

function bySite(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

function listed(values: ReadonlySet<string>): string {
  const sorted = [...values].sort()
  const rest = sorted.length - LISTED_MAX
  return sorted.slice(0, LISTED_MAX).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
