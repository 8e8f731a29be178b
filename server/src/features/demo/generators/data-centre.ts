import { fullName } from '../company.ts'
import * as machines from '../hardware-models.ts'
import {
  addressOf,
  clusterName,
  dataCentre,
  hypervisorName,
  insideOf,
  portSets,
  purposes,
  VCENTER,
} from '../data-centre-servers.ts'
import { seenTogether, type Part } from './generator.ts'

export const dataCentres: Part = {
  name: 'data-centres',
  share: 1,
  see: (number, estate, draw) => [
    seenTogether(estate, draw)('vcenter', `datacenter-${number}`, {
      ids: { cloud_id: `${VCENTER}:datacenter-${number}` },
      name: dataCentre(number),
      assetType: 'datacenter',
      tags: ['criticality:high'],
    }),
  ],
}

export const clusters: Part = {
  name: 'clusters',
  share: 3,
  see: (number, estate, draw) => [
    seenTogether(estate, draw)('vcenter', `domain-c${number}`, {
      ids: { cloud_id: `${VCENTER}:domain-c${number}` },
      name: clusterName(number),
      assetType: 'cluster',
      tags: ['criticality:high'],
      facts: {
        datacenter: dataCentre(number % estate.count('data-centres')),
        ha: true,
        drs: draw.percent(80),
      },
    }),
  ],
}

export const datastores: Part = {
  name: 'datastores',
  share: 6,
  see(number, estate, draw) {
    const capacityTb = draw.pick([4, 8, 16, 32, 64])
    return [
      seenTogether(estate, draw)('vcenter', `datastore-${number}`, {
        ids: { cloud_id: `${VCENTER}:datastore-${number}` },
        name: `ds-${draw.pick(['nvme', 'san', 'nfs'])}-${String(number + 1).padStart(4, '0')}`,
        assetType: 'datastore',
        vendor: draw.pick(['NetApp', 'Pure Storage', 'Dell EMC']),
        facts: {
          cluster: clusterName(number % estate.count('clusters')),
          capacityTb,
          usedPercent: 20 + draw.below(75),
        },
      }),
    ]
  },
}

export const hypervisors: Part = {
  name: 'hypervisors',
  share: 10,
  see(number, estate, draw) {
    const host = hypervisorName(number)
    const ip = addressOf(number, 1)
    const { vendor, model, ouis, os = [] } = draw.pick(machines.hypervisors)
    const mac = machines.macIn(draw.pick(ouis), number)
    const serial = machines.serialOf('E1', number)
    const seen = seenTogether(estate, draw)
    return [
      seen('vcenter', `host-${number}`, {
        ids: {
          cloud_id: `${VCENTER}:host-${number}`,
          smbios_uuid: draw.uuid(),
          serial,
          mac,
          hostname: fullName(host),
          ip,
        },
        name: host,
        assetType: 'hypervisor',
        vendor,
        model,
        os: draw.pick(os),
        tags: ['criticality:high'],
        facts: {
          cluster: clusterName(number % estate.count('clusters')),
          memoryGb: draw.pick([512, 1024]),
          cores: 64,
        },
      }),
      seen('sweep', mac, { ids: { mac, ip, ptr_name: fullName(host) }, facts: { ports: [22, 443, 902] } }),
      seen('purchasing', `serial:${serial}`, {
        ids: { serial },
        vendor,
        model,
        tags: ['owner:infrastructure'],
      }),
    ]
  },
}

/** Physical, with an agent, and known to the sweep and to purchasing. */
export const servers: Part = {
  name: 'servers',
  share: 20,
  see(number, estate, draw) {
    const { vendor, model, ouis, os = [] } = draw.pick(machines.servers)
    const serial = machines.serialOf('S1', number)
    const purpose = draw.pick(purposes)
    const seen = seenTogether(estate, draw)
    const host = `${purpose}-srv-${String(number + 1).padStart(4, '0')}`
    const mac = machines.macIn(draw.pick(ouis), number)
    const ip = addressOf(number, 8)
    const agent = insideOf(draw, { host, ip, os: draw.pick(os) })
    return [
      seen('agents', agent.ids.agent_key, {
        ...agent,
        ids: { ...agent.ids, serial, mac, smbios_uuid: draw.uuid() },
        assetType: 'device',
        vendor,
        model,
        tags: [`service:${purpose}`, `criticality:${draw.pick(['high', 'medium', 'low'])}`],
      }),
      seen('sweep', mac, {
        ids: { mac, ip, ptr_name: fullName(host) },
        facts: { ports: draw.pick(portSets) },
      }),
      seen('purchasing', `serial:${serial}`, { ids: { serial }, vendor, model }),
    ]
  },
}
