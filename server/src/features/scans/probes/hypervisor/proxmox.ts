import type { Credential } from '../credential-access.ts'
import {
  isObject,
  numberOf,
  objectsIn,
  openProxmoxApi,
  PROXMOX_PORT,
  textOf,
  type ProxmoxApi,
  type JsonObject,
} from './proxmox-api.ts'
import { describeGuest, megabytes } from './proxmox-guest.ts'
import type { PlatformObject } from './machine-observation.ts'
import {
  CredentialRefused,
  type HypervisorSession,
  type AccessMethod,
  type AccessContext,
} from './access-method.ts'

/** Proxmox VE by its REST API: one node answers for its whole cluster. The token needs the role PVEAuditor on `/`. */
export const proxmox: AccessMethod = {
  title: 'Proxmox VE',
  kinds: ['proxmox_token'],
  port: PROXMOX_PORT,
  logIn,
}

async function logIn(credential: Credential, means: AccessContext): Promise<HypervisorSession> {
  if (credential.kind !== 'proxmox_token') throw new CredentialRefused('no API token of Proxmox VE')
  const api = openProxmoxApi(credential, means)
  try {
    const version = await api.get('/version')
    return { read: () => read(api, isObject(version) ? version : {}, means.address), close: api.close }
  } catch (error) {
    await api.close()
    throw error
  }
}

interface Scene {
  readonly api: ProxmoxApi
  /** Names that are given within it are given once. */
  readonly scope: string
  readonly cluster: string | undefined
  readonly version: string
  /** What the cluster knows of its nodes: names and addresses. */
  readonly members: readonly JsonObject[]
  readonly storages: readonly JsonObject[]
}

async function* read(api: ProxmoxApi, version: JsonObject, address: string): AsyncGenerator<PlatformObject> {
  const status = objectsIn(await api.get('/cluster/status'))
  const lines = objectsIn(await api.get('/cluster/resources'))
  const cluster = textOf(status.find((it) => it.type === 'cluster')?.name)
  const scene: Scene = {
    api,
    cluster,
    scope: cluster === undefined ? address : `cluster ${cluster}`,
    version: `Proxmox VE ${textOf(version.version) ?? ''}`.trim(),
    members: status.filter((it) => it.type === 'node'),
    storages: lines.filter((it) => it.type === 'storage'),
  }
  const nodes = lines.filter((it) => it.type === 'node' && isNodeName(it.node))
  if (cluster !== undefined) yield describeCluster(scene, cluster, nodes)
  for (const node of nodes) yield await nodeSeen(scene, node)
  for (const line of lines)
    if ((line.type === 'qemu' || line.type === 'lxc') && isNodeName(line.node) && numberOf(line.vmid))
      yield await guestOf(scene, line)
}

/** What is put into a path has to be a name and nothing else. */
const isNodeName = (name: unknown): name is string => typeof name === 'string' && /^[\w.-]{1,255}$/.test(name)

const describeCluster = (
  { scope, version }: Scene,
  name: string,
  nodes: readonly JsonObject[],
): PlatformObject => ({
  sourceKey: `proxmox/${scope}`,
  assetType: 'cluster',
  name,
  vendor: 'Proxmox',
  model: 'Proxmox VE cluster',
  facts: { platform: version, hosts: nodes.flatMap(({ node }) => textOf(node) ?? []) },
})

async function nodeSeen(
  { api, scope, cluster, version, members, storages }: Scene,
  line: JsonObject,
): Promise<PlatformObject> {
  const name = textOf(line.node) ?? ''
  const isUp = line.status === 'online'
  const status = isUp ? await api.get(`/nodes/${name}/status`) : undefined
  const networks = isUp ? objectsIn(await api.get(`/nodes/${name}/network`)) : []
  const reported = isObject(status) ? status : {}
  const cpu = isObject(reported.cpuinfo) ? reported.cpuinfo : {}
  const memory = isObject(reported.memory) ? reported.memory : {}
  const own = textOf(members.find((it) => it.name === name)?.ip)
  const of = (it: JsonObject, ...fields: string[]): string[] =>
    fields.flatMap((field) => textOf(it[field]) ?? [])
  return {
    sourceKey: `proxmox/${scope}/node/${name}`,
    assetType: 'hypervisor',
    name,
    os: textOf(reported.pveversion) ?? version,
    hostnames: [name],
    addresses: [
      ...(own === undefined ? [] : [own]),
      ...networks.flatMap((it) => of(it, 'address', 'address6')),
    ],
    facts: {
      platform: version,
      cluster,
      managedBy: api.where,
      powerState: isUp ? 'on' : textOf(line.status),
      kernel: textOf(reported.kversion),
      cpuModel: textOf(cpu.model),
      cpuSockets: numberOf(cpu.sockets),
      cpuCores: numberOf(cpu.cores),
      cpuCount: numberOf(cpu.cpus) ?? numberOf(line.maxcpu),
      memoryMb: megabytes(numberOf(memory.total) ?? numberOf(line.maxmem)),
      interfaces: networks.map((it) => ({
        name: textOf(it.iface) ?? '',
        kind: textOf(it.type) ?? '',
        addresses: of(it, 'address', 'address6'),
      })),
      datastores: storages.filter((it) => it.node === name).map(storageFact),
    },
  }
}

const storageFact = (it: JsonObject) => ({
  name: textOf(it.storage) ?? '',
  kind: textOf(it.plugintype) ?? '',
  shared: numberOf(it.shared) === 1,
  sizeBytes: numberOf(it.maxdisk) ?? 0,
})

/** An agent that was not asked for in the configuration is not waited for. */
async function guestOf({ api, scope }: Scene, line: JsonObject): Promise<PlatformObject> {
  const path = `/nodes/${String(line.node)}/${String(line.type)}/${String(numberOf(line.vmid))}`
  const config = await api.get(`${path}/config`)
  const isUp = line.status === 'running'
  if (line.type === 'lxc') {
    const interfaces = isUp ? await api.get(`${path}/interfaces`) : undefined
    return describeGuest(scope, { line, config, interfaces, hostname: undefined, os: undefined })
  }
  const agent = isObject(config) ? (textOf(config.agent) ?? '') : ''
  const hasAgent = isUp && /^(?:1|enabled=1)(?:,|$)|,enabled=1(?:,|$)/.test(agent)
  const ask = (question: string): Promise<unknown> =>
    hasAgent ? api.get(`${path}/agent/${question}`) : Promise.resolve(undefined)
  const interfaces = await ask('network-get-interfaces')
  // one that does not answer the first question is not asked the others
  const isThere = interfaces !== undefined
  const hostname = isThere ? await ask('get-host-name') : undefined
  const os = isThere ? await ask('get-osinfo') : undefined
  return describeGuest(scope, { line, config, interfaces, hostname, os })
}
