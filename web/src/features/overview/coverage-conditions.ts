/** What an agent or a login could look into; users, accounts and software are none of these. */
const MACHINES = 'asset_type in (device, virtual_machine, hypervisor, ot_device)'
const AGENTS = 'source_kind in (agent, glpi, fusioninventory, ocs, osquery)'
const LOGINS = 'source_kind in (ssh, wmi, snmp, vmware, hypervisor, ansible)'

/** Conditions for the parts of the estate by how well it is known; agent, login and neither do not overlap. */
export const COVERAGE = {
  all: MACHINES,
  agent: `${MACHINES} and ${AGENTS}`,
  login: `${MACHINES} and ${LOGINS} and not ${AGENTS}`,
  neither: `${MACHINES} and not ${LOGINS} and not ${AGENTS}`,
  owner: `${MACHINES} and not has owner`,
  site: `${MACHINES} and not has site`,
} as const
