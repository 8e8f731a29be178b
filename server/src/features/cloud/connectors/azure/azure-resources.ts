import { factsOf, listAt, nodeGroups, objectAt, tagsOf, textAt, type JsonObject } from '../read-json.ts'
import { GLOBAL, type CloudType, type SeenMachine, type SeenResource } from '../../cloud-resource.ts'
import type { NetworkOfMachines } from './machine-network.ts'

interface Table {
  readonly table: 'resources' | 'computeresources'
  /** In lower case, as Resource Graph writes them. */
  readonly types: readonly string[]
}

/** Where Resource Graph has the resources of each type. */
export const resourceTables: Readonly<Record<CloudType, readonly Table[]>> = {
  compute: [
    { table: 'resources', types: ['microsoft.compute/virtualmachines'] },
    { table: 'computeresources', types: ['microsoft.compute/virtualmachinescalesets/virtualmachines'] },
  ],
  database: [
    {
      table: 'resources',
      types: [
        'microsoft.sql/servers/databases',
        'microsoft.sql/managedinstances',
        'microsoft.dbforpostgresql/flexibleservers',
        'microsoft.dbformysql/flexibleservers',
        'microsoft.documentdb/databaseaccounts',
      ],
    },
  ],
  storage: [{ table: 'resources', types: ['microsoft.storage/storageaccounts'] }],
  kubernetes: [{ table: 'resources', types: ['microsoft.containerservice/managedclusters'] }],
  function: [{ table: 'resources', types: ['microsoft.web/sites'] }],
}

/** Undefined for what is listed beside resources of the type and is none: `master` databases, web and logic apps. */
export function azureResource(
  row: unknown,
  type: CloudType,
  network: NetworkOfMachines | undefined,
): SeenResource | undefined {
  const nativeId = textAt(row, 'id').toLowerCase()
  const kind = textAt(row, 'kind').toLowerCase().split(',')
  if (nativeId === '') return undefined
  if (type === 'function' && (!kind.includes('functionapp') || kind.includes('workflowapp'))) return undefined
  if (type === 'database' && textAt(row, 'name') === 'master') return undefined
  const properties = objectAt(row, 'properties')
  const machine = type === 'compute' ? machineOf(nativeId, properties, network) : undefined
  return {
    scope: { account: textAt(row, 'subscriptionId').toLowerCase(), region: GLOBAL, type },
    region: textAt(row, 'location').toLowerCase().replaceAll(' ', ''),
    nativeId,
    name: nameOf(row, properties),
    status: type === 'compute' ? powerOf(properties) : statusOf(properties),
    tags: tagsOf(objectAt(row, 'tags')),
    facts: factsFrom(row, properties, network?.get(nativeId)?.publicIps ?? []),
    ...(machine && { machine }),
  }
}

/** Machines of a scale set are named by a number there; the name of the computer tells them apart. */
const nameOf = (row: unknown, properties: JsonObject): string =>
  textAt(row, 'type').toLowerCase().includes('/virtualmachinescalesets/')
    ? textAt(properties, 'extended', 'instanceView', 'computerName') || textAt(row, 'name')
    : textAt(row, 'name')

/** `PowerState/running`; absent until the platform has told Resource Graph. */
const powerOf = (properties: JsonObject): string =>
  textAt(properties, 'extended', 'instanceView', 'powerState', 'code').split('/')[1] ?? 'unknown'

const statusOf = (properties: JsonObject): string =>
  textAt(properties, 'status') ||
  textAt(properties, 'state') ||
  textAt(properties, 'powerState', 'code') ||
  textAt(properties, 'provisioningState').toLowerCase()

function machineOf(
  nativeId: string,
  properties: JsonObject,
  network: NetworkOfMachines | undefined,
): SeenMachine | undefined {
  const vmId = textAt(properties, 'vmId').toLowerCase()
  if (vmId === '') return undefined
  const view = objectAt(properties, 'extended', 'instanceView')
  const hostname = textAt(view, 'computerName') || textAt(properties, 'osProfile', 'computerName')
  const os =
    [textAt(view, 'osName'), textAt(view, 'osVersion')].filter((it) => it !== '').join(' ') ||
    textAt(properties, 'storageProfile', 'osDisk', 'osType')
  const { macs = [], ips = [], publicIps = [] } = network?.get(nativeId) ?? {}
  return {
    cloudId: `azure:${vmId}`,
    smbiosUuid: vmId,
    macs,
    ips: [...ips, ...publicIps],
    ...(hostname !== '' && { hostname }),
    ...(os !== '' && { os }),
  }
}

function factsFrom(row: unknown, properties: JsonObject, publicIps: readonly string[]): JsonObjectOfTexts {
  const image = objectAt(properties, 'storageProfile', 'imageReference')
  const of = (...path: string[]) => textAt(properties, ...path)
  return factsOf({
    kind: textAt(row, 'type'),
    size: of('hardwareProfile', 'vmSize') || of('currentServiceObjectiveName'),
    image: [textAt(image, 'publisher'), textAt(image, 'offer'), textAt(image, 'sku')]
      .filter((it) => it !== '')
      .join(' '),
    zones: listAt(row, 'zones').join(', '),
    security_type: of('securityProfile', 'securityType'),
    created: of('timeCreated') || of('creationTime') || of('creationDate'),
    version: of('currentKubernetesVersion') || of('kubernetesVersion') || of('version'),
    host: of('fullyQualifiedDomainName') || of('defaultHostName') || of('fqdn'),
    public_ip: publicIps.join(', '),
    cluster: textAt(row, 'tags', 'aks-managed-cluster-name'),
    node_groups: nodeGroups(
      listAt(properties, 'agentPoolProfiles').map((it) => ({
        name: textAt(it, 'name'),
        size: textAt(it, 'vmSize'),
        count: textAt(it, 'count'),
      })),
    ),
  })
}

type JsonObjectOfTexts = Readonly<Record<string, string>>
