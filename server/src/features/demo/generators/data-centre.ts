import { fullName } from '../company.ts'
import * as hardware from '../hardware-models.ts'
import {
  serverAddress,
  clusterName,
  dataCentreName,
  hypervisorName,
  agentFields,
  portSets,
  purposes,
  VCENTER,
} from '../data-centre-servers.ts'
import { observer, type AssetGenerator } from './generator.ts'

export const dataCentres: AssetGenerator = {
  name: 'data-centres',
  share: 1,
  generate: (number, estate, random) => [
    observer(estate, random)('vcenter', `datacenter-${number}`, {
      ids: { cloud_id: `${VCENTER}:datacenter-${number}` },
      name: dataCentreName(number),
      assetType: 'datacenter',
      tags: ['criticality:high'],
    }),
  ],
}

export const clusters: AssetGenerator = {
  name: 'clusters',
  share: 3,
  generate: (number, estate, random) => [
    observer(estate, random)('vcenter', `domain-c${number}`, {
      ids: { cloud_id: `${VCENTER}:domain-c${number}` },
      name: clusterName(number),
      assetType: 'cluster',
      tags: ['criticality:high'],
      facts: {
        datacenter: dataCentreName(number % estate.count('data-centres')),
        ha: true,
        drs: random.percent(80),
      },
    }),
  ],
}

export const datastores: AssetGenerator = {
  name: 'datastores',
  share: 6,
  generate(number, estate, random) {
    const capacityTb = random.pick([4, 8, 16, 32, 64])
    return [
      observer(estate, random)('vcenter', `datastore-${number}`, {
        ids: { cloud_id: `${VCENTER}:datastore-${number}` },
        name: `ds-${random.pick(['nvme', 'san', 'nfs'])}-${String(number + 1).padStart(4, '0')}`,
        assetType: 'datastore',
        vendor: random.pick(['NetApp', 'Pure Storage', 'Dell EMC']),
        facts: {
          cluster: clusterName(number % estate.count('clusters')),
          capacityTb,
          usedPercent: 20 + random.below(75),
        },
      }),
    ]
  },
}

export const hypervisors: AssetGenerator = {
  name: 'hypervisors',
  share: 10,
  generate(number, estate, random) {
    const host = hypervisorName(number)
    const ip = serverAddress(number, 1)
    const { vendor, model, ouis, os = [] } = random.pick(hardware.hypervisors)
    const mac = hardware.macIn(random.pick(ouis), number)
    const serial = hardware.serialOf('E1', number)
    const observe = observer(estate, random)
    return [
      observe('vcenter', `host-${number}`, {
        ids: {
          cloud_id: `${VCENTER}:host-${number}`,
          smbios_uuid: random.uuid(),
          serial,
          mac,
          hostname: fullName(host),
          ip,
        },
        name: host,
        assetType: 'hypervisor',
        vendor,
        model,
        os: random.pick(os),
        tags: ['criticality:high'],
        facts: {
          cluster: clusterName(number % estate.count('clusters')),
          memoryGb: random.pick([512, 1024]),
          cores: 64,
        },
      }),
      observe('sweep', mac, { ids: { mac, ip, ptr_name: fullName(host) }, facts: { ports: [22, 443, 902] } }),
      observe('purchasing', `serial:${serial}`, {
        ids: { serial },
        vendor,
        model,
        tags: ['owner:infrastructure'],
      }),
    ]
  },
}

/** Physical servers, reported by an agent, the network sweep and the purchasing list. */
export const servers: AssetGenerator = {
  name: 'servers',
  share: 20,
  generate(number, estate, random) {
    const { vendor, model, ouis, os = [] } = random.pick(hardware.servers)
    const serial = hardware.serialOf('S1', number)
    const purpose = random.pick(purposes)
    const observe = observer(estate, random)
    const host = `${purpose}-srv-${String(number + 1).padStart(4, '0')}`
    const mac = hardware.macIn(random.pick(ouis), number)
    const ip = serverAddress(number, 8)
    const agent = agentFields(random, { host, ip, os: random.pick(os) })
    return [
      observe('agents', agent.ids.agent_key, {
        ...agent,
        ids: { ...agent.ids, serial, mac, smbios_uuid: random.uuid() },
        assetType: 'device',
        vendor,
        model,
        tags: [`service:${purpose}`, `criticality:${random.pick(['high', 'medium', 'low'])}`],
      }),
      observe('sweep', mac, {
        ids: { mac, ip, ptr_name: fullName(host) },
        facts: { ports: random.pick(portSets) },
      }),
      observe('purchasing', `serial:${serial}`, { ids: { serial }, vendor, model }),
    ]
  },
}
