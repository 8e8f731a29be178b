import { GLOBAL, type CloudType, type SeenMachine, type SeenResource } from '../../cloud-resource.ts'
import {
  factsOf,
  lastPart,
  listAt,
  nodeGroups,
  objectAt,
  tagsOf,
  textAt,
  type JsonObject,
} from '../read-json.ts'

/** A resource as its own API describes it, and its full resource name. */
export interface GoogleAsset {
  readonly project: string
  /** `//compute.googleapis.com/projects/…` */
  readonly fullName: string
  readonly data: JsonObject
}

const converters: Readonly<Record<CloudType, (data: JsonObject, fullName: string) => Partial<SeenResource>>> =
  {
    compute: instanceFrom,
    database: (data) => ({
      region: textAt(data, 'region'),
      status: textAt(data, 'state'),
      tags: tagsOf(objectAt(data, 'settings', 'userLabels')),
      facts: factsOf({
        engine: textAt(data, 'databaseVersion'),
        size: textAt(data, 'settings', 'tier'),
        zone: textAt(data, 'gceZone'),
        public_ip: listAt(data, 'ipAddresses')
          .filter((it) => textAt(it, 'type') === 'PRIMARY')
          .map((it) => textAt(it, 'ipAddress'))
          .join(', '),
      }),
    }),
    storage: (data) => ({
      region: textAt(data, 'location').toLowerCase(),
      status: 'available',
      tags: tagsOf(objectAt(data, 'labels')),
      facts: factsOf({ class: textAt(data, 'storageClass'), created: textAt(data, 'timeCreated') }),
    }),
    kubernetes: (data) => ({
      region: regionOf(textAt(data, 'location') || textAt(data, 'zone')),
      status: textAt(data, 'status'),
      tags: tagsOf(objectAt(data, 'resourceLabels')),
      facts: factsOf({
        version: textAt(data, 'currentMasterVersion'),
        host: textAt(data, 'endpoint'),
        node_groups: nodeGroups(
          listAt(data, 'nodePools').map((it) => ({
            name: textAt(it, 'name'),
            size: textAt(it, 'config', 'machineType'),
            count: textAt(it, 'initialNodeCount'),
          })),
        ),
        network: textAt(data, 'network'),
        created: textAt(data, 'createTime'),
      }),
    }),
    function: (data, fullName) => ({
      region: /\/locations\/([^/]+)\//.exec(fullName)?.[1] ?? '',
      status: textAt(data, 'state') || textAt(data, 'status'),
      tags: tagsOf(objectAt(data, 'labels')),
      facts: factsOf({
        runtime: textAt(data, 'buildConfig', 'runtime') || textAt(data, 'runtime'),
        changed: textAt(data, 'updateTime'),
      }),
    }),
  }

export function googleResource({ project, fullName, data }: GoogleAsset, type: CloudType): SeenResource {
  const found = converters[type](data, fullName)
  return {
    scope: { account: project, region: GLOBAL, type },
    nativeId: fullName,
    name: lastPart(textAt(data, 'name')) || lastPart(fullName),
    status: '',
    tags: [],
    facts: {},
    ...found,
    region: found.region || GLOBAL,
  }
}

/** `TERMINATED` is a machine that was stopped and may be started again; one that was deleted is not listed. */
function instanceFrom(data: JsonObject): Partial<SeenResource> {
  const zone = lastPart(textAt(data, 'zone'))
  const machine = seenMachine(data)
  return {
    region: regionOf(zone),
    status: textAt(data, 'status'),
    tags: tagsOf(objectAt(data, 'labels')),
    facts: factsOf({
      size: lastPart(textAt(data, 'machineType')),
      zone,
      network: lastPart(textAt(listAt(data, 'networkInterfaces')[0], 'network')),
      service_account: textAt(listAt(data, 'serviceAccounts')[0], 'email'),
      created: textAt(data, 'creationTimestamp'),
      deletion_protection: textAt(data, 'deletionProtection'),
      public_ip: publicAddresses(data).join(', '),
      cluster: textAt(data, 'labels', 'goog-k8s-cluster-name'),
    }),
    ...(machine && { machine }),
  }
}

/** `europe-west4-a` is in `europe-west4`. */
const regionOf = (location: string): string => location.replace(/-[a-z]$/, '')

function seenMachine(data: JsonObject): SeenMachine | undefined {
  const id = textAt(data, 'id')
  if (id === '') return undefined
  const addresses = listAt(data, 'networkInterfaces').flatMap((it) => [
    textAt(it, 'networkIP'),
    textAt(it, 'ipv6Address'),
  ])
  return {
    cloudId: `gcp:${id}`,
    hostname: textAt(data, 'hostname') || textAt(data, 'name'),
    // made of the address by Google, and no part of the answer
    macs: [],
    ips: [...addresses, ...publicAddresses(data)].filter((it) => it !== ''),
  }
}

const publicAddresses = (data: JsonObject): string[] =>
  listAt(data, 'networkInterfaces')
    .flatMap((it) => listAt(it, 'accessConfigs'))
    .map((it) => textAt(it, 'natIP'))
    .filter((it) => it !== '')
