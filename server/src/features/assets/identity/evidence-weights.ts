import { macClass, nameClass } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import { CANDIDATE_SCORE, LINK_SCORE } from './score-thresholds.ts'

/** Identifiers of one group are not independent, so only the strongest of a group counts. */
export type Group = 'native' | 'cloud' | 'mgmt' | 'hardware' | 'os' | 'net' | 'name' | 'addr'

export const groupOf: Readonly<Record<IdentifierType, Group>> = {
  agent_key: 'native',
  tpm_ek: 'native',
  cloud_id: 'cloud',
  management_id: 'mgmt',
  serial: 'hardware',
  smbios_uuid: 'hardware',
  snmp_engine: 'hardware',
  chassis_id: 'hardware',
  machine_id: 'os',
  ssh_host_key: 'os',
  mac: 'net',
  hostname: 'name',
  ptr_name: 'name',
  ip: 'addr',
}

/** The largest weight, 0 to 1, that sharing this value can have. */
export function weightOf(type: IdentifierType, value: string): number {
  if (type === 'mac') return macWeights[macClass(value)]
  if (type === 'hostname') return nameWeights[nameClass(value)]
  return weights[type]
}

/** Same manufacturer on both sides, or unknown on one. */
export const SERIAL_WEIGHT = { sameMaker: 0.97, makerUnknown: 0.93, plain: 0.8 } as const
export const BARE_NAME_WEIGHT = 0.45
export const GENERIC_NAME_WEIGHT = 0.1
/** Weight of a random MAC address that the agent on the machine reports, and of one that has the same address each time. */
export const KNOWN_MAC_WEIGHT = 0.85
/** Weight of a random MAC address that is all that a scan saw of either, at another address: people are asked. */
export const ONLY_MAC_WEIGHT = CANDIDATE_SCORE
/** The same name of two phones that are not there at once, each with a random MAC address of its own: people are asked. */
export const ROAMING_NAME_WEIGHT = CANDIDATE_SCORE
/** The same where a person said that the phones of this name are one. */
export const REMEMBERED_NAME_WEIGHT = LINK_SCORE
export const ADDRESS_WEIGHT = { overlap: 0.6, static: 0.3, apart: 0.1 } as const

const weights: Readonly<Record<Exclude<IdentifierType, 'mac' | 'hostname'>, number>> = {
  agent_key: 0.99,
  tpm_ek: 0.99,
  cloud_id: 0.98,
  management_id: 0.97,
  serial: SERIAL_WEIGHT.sameMaker,
  smbios_uuid: 0.95,
  snmp_engine: 0.93,
  chassis_id: 0.93,
  machine_id: 0.88,
  ssh_host_key: 0.8,
  ptr_name: GENERIC_NAME_WEIGHT,
  ip: ADDRESS_WEIGHT.overlap,
}
const macWeights = { universal: 0.85, hypervisor: 0.75, local: 0.3 } as const
const nameWeights = { full: 0.7, bare: BARE_NAME_WEIGHT, generic: GENERIC_NAME_WEIGHT } as const
