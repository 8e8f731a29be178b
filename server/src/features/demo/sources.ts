/**
 * The sources of the demo company. Sources that report most identifiers of a device come first, so that later
 * observations match them and no assets have to be merged afterwards.
 */
export const sources = {
  agents: { kind: 'agent', name: 'Agents' },
  vcenter: { kind: 'vmware', name: 'vCenter' },
  snmp: { kind: 'snmp', name: 'SNMP poll' },
  devices: { kind: 'mdm', name: 'Device management' },
  directory: { kind: 'directory', name: 'Directory' },
  aws: { kind: 'cloud', name: 'AWS' },
  azure: { kind: 'cloud', name: 'Azure' },
  gcp: { kind: 'cloud', name: 'Google Cloud' },
  passive: { kind: 'passive', name: 'Plant network listener' },
  packages: { kind: 'software', name: 'Software catalogue' },
  signIn: { kind: 'saas', name: 'Single sign-on' },
  sweep: { kind: 'sweep', name: 'Network sweep' },
  purchasing: { kind: 'import', name: 'Purchasing list' },
  plantRegister: { kind: 'import', name: 'Plant register' },
} as const
export type SourceName = keyof typeof sources
export const sourceNames = Object.keys(sources) as readonly SourceName[]
