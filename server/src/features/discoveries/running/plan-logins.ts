import type { Observation } from '#features/assets/observation.ts'
import type { Hints, LoginType } from '../discovery.ts'

/** What is known of a host before the next login. */
export interface Known {
  readonly hints: Hints
  /** Ports that bound credentials of the type name. */
  readonly ports: readonly number[]
  /** A login by ssh or wmi let us in. */
  readonly isIn: boolean
  /** Of `unsweptPorts`, those that were found open since. */
  readonly opened?: ReadonlySet<number>
}

const SSH = 22
/** Windows answers at one of them: RPC, NetBIOS, SMB, remote desktop, WinRM. */
const WINDOWS = [135, 139, 445, 3_389, 5_985, 5_986]

/**
 * Ports of the services that a sweep does not look at. They are asked before a login is left out for which there is a
 * credential: a Windows host may have WinRM open and nothing else.
 */
export const unsweptPorts: Readonly<Record<LoginType, readonly number[]>> = {
  ssh: [],
  wmi: [5_985, 5_986],
  snmp: [],
  vmware: [],
  hypervisor: [8_006, 16_514],
}

/**
 * Whether a login of this type makes sense at the host, or why not. A community of SNMP goes over the network in clear
 * text, so it is shown to agents, and to hosts that nothing else is known to let in, such as printers and switches.
 */
export function reasonNotToAsk(type: LoginType, known: Known): string | undefined {
  const { hints, ports, isIn, opened } = known
  if (opened && opened.size > 0) return undefined
  switch (type) {
    case 'ssh':
      return hints.ports.includes(SSH) || ports.some((port) => port !== SSH) ? undefined : 'port 22 is closed'
    case 'wmi':
      return hints.ports.some((port) => WINDOWS.includes(port)) || ports.length > 0
        ? undefined
        : 'none of the ports of Windows is open'
    case 'snmp':
      return hints.hasSnmp || !isIn ? undefined : 'no agent of SNMP answers, and another login let us in'
    case 'vmware':
      return hints.isVmware ? undefined : 'nothing says that it is an ESXi or vCenter host'
    case 'hypervisor':
      return hints.isHypervisor ? undefined : 'nothing says that it runs virtual machines'
    default:
      return type satisfies never
  }
}

const VMWARE = /vmware|esxi|vsphere|vcenter/i
const HYPERVISOR = /proxmox|libvirt|xcp-ng|hyper-v/i

/** From what a sweep says of a host: ports, and what its services call themselves. */
export function hintsOf({ facts = {}, identifiers }: Observation): Hints {
  const { openPorts, http, https, tls } = facts
  const services = JSON.stringify([http, https, tls])
  return {
    ports: Array.isArray(openPorts) ? openPorts.filter((it) => typeof it === 'number') : [],
    hasSnmp: identifiers.some(({ type }) => type === 'snmp_engine'),
    isVmware: VMWARE.test(services),
    isHypervisor: HYPERVISOR.test(services),
  }
}
