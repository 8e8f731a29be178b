import { spaced } from '#lib/in-words.ts'
const NAMES: Readonly<Record<string, string>> = {
  agent_key: 'agent key',
  tpm_ek: 'TPM key',
  cloud_id: 'cloud id',
  management_id: 'management id',
  serial: 'serial',
  smbios_uuid: 'SMBIOS UUID',
  snmp_engine: 'SNMP engine',
  chassis_id: 'chassis id',
  machine_id: 'machine id',
  ssh_host_key: 'SSH host key',
  mac: 'MAC',
  hostname: 'host name',
  ptr_name: 'DNS name',
  ip: 'IP address',
}

/** Display name of an identifier type. */
export const identifierName = (type: string): string => NAMES[type] ?? spaced(type)
