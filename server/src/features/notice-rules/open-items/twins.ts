import { listAgentIdsShared } from '#features/agents/agents.ts'
import { listSharedHardware } from '#features/assets/assets.ts'
import { whole, type OpenItemKind } from './open-item.ts'

const NAMES_SHOWN = 3

/** Machines that cannot be told apart by what they call themselves: copies that somebody has to make different. */
export const twins: readonly OpenItemKind[] = [
  {
    name: 'hardware_shared',
    title: 'Machines that report one hardware id',
    permission: 'assets:read',
    async find(ctx, limit) {
      const items = (await listSharedHardware(ctx)).map(({ type, value, assets }) => ({
        key: `${type}:${value}`,
        subject: `${namesOf(assets.map(({ name }) => name))} report one ${nouns[type] ?? type}: copies of one machine?`,
        link: `/assets/${assets[0]?.id ?? ''}`,
      }))
      return whole(items, limit)
    },
  },
  {
    name: 'agent_id_shared',
    title: 'Hosts whose agents share an id',
    permission: 'agents:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const items = (await listAgentIdsShared(ctx)).map(({ kind, deviceId, names }) => ({
        key: `${kind}:${deviceId}`,
        subject: `${namesOf(names)} report by the agent id ${deviceId}: copies of one disk?`,
        link: '/agents',
      }))
      return whole(items, limit)
    },
  },
]

const nouns: Readonly<Record<string, string>> = {
  tpm_ek: 'TPM key',
  cloud_id: 'cloud id',
  serial: 'serial number',
  smbios_uuid: 'hardware UUID',
  machine_id: 'machine id',
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => name || 'an unnamed host')
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(' and ')
}
