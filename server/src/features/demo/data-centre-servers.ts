import { addressIn, fullName } from './company.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Instance UUID of the only vCenter; prefix of all its ids. */
export const VCENTER = 'vcenter:5f1d9c3a-7b42-4c0e-9d6f-2a8e4b7c1d90'
const DATA_CENTRE_NETS = 16

export const dataCentreName = (number: number) => `DC${number + 1}`
export const clusterName = (number: number) => `CL-${String(number + 1).padStart(3, '0')}`
export const hypervisorName = (number: number) => `esx-${String(number + 1).padStart(5, '0')}`

/** Data centres use the networks 10.240.0.0 to 10.255.255.255. */
export function serverAddress(number: number, third: number): string {
  const net = 240 + (number % DATA_CENTRE_NETS)
  return addressIn(`10.${net}`, third, Math.floor(number / DATA_CENTRE_NETS))
}

export const purposes = [
  'web',
  'app',
  'db',
  'mail',
  'file',
  'ad',
  'ci',
  'log',
  'erp',
  'mes',
  'cache',
  'queue',
  'proxy',
  'backup',
]
export const portSets = [[22], [22, 80, 443], [22, 5432], [135, 139, 445, 3389], [22, 9090]]

/** Fields that only an agent on the server reports. */
export function agentFields(
  random: SeededRandom,
  { host, ip, os }: { host: string; ip: string; os: string },
) {
  return {
    ids: { agent_key: random.hex(64), machine_id: random.hex(32), hostname: fullName(host), ip },
    name: host,
    os,
    facts: {
      kernel: os.includes('Windows') ? '10.0.20348' : random.pick(['5.15.0-105', '6.1.0-21', '6.8.0-31']),
    },
  }
}
