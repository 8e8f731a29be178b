import { hypervisor } from './hypervisor.ts'
import type { Probe } from './probe.ts'
import { snmp } from './snmp.ts'
import { ssh } from './ssh.ts'
import { sweep } from './sweep.ts'
import { vmware } from './vmware.ts'
import { wmi } from './wmi.ts'

/** All probes of this installation. A scan type without a probe here cannot be started. */
export const probes: readonly Probe[] = [sweep, ssh, snmp, vmware, wmi, hypervisor]
