import { hypervisor } from './hypervisor.ts'
import type { Probe } from './probe.ts'
import { snmp } from './snmp.ts'
import { ssh } from './ssh.ts'
import { sweep } from './sweep.ts'
import { vmware } from './vmware.ts'
import { wmi } from './wmi.ts'

/** The shelf: what this installation can look with. A type without a probe here cannot be scanned. */
export const probes: readonly Probe[] = [sweep, ssh, snmp, vmware, wmi, hypervisor]
