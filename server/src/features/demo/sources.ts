/**
 * The sources of the estate, each as an installation of this size has it. Those that know a thing by most of its
 * identifiers come first: what the others see then finds it, instead of making a second one that is merged later.
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
