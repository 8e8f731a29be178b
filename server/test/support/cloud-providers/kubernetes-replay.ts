import { startReplay, type Replay, type ReplayAnswer, type ReplayCall } from './replay.ts'

/**
 * The API server of a cluster, without TLS. Objects are laid out as kube-apiserver 1.34 answered them, shortened; lists are
 * cut by `limit` and go on by `continue`.
 */
export interface KubernetesReplay extends Replay {
  nodes: ReplayNode[]
  /** Of the deployment `web`. */
  pods: number
  /** Objects at once, whatever the caller allows. */
  pageSize: number
}

export interface ReplayNode {
  readonly name: string
  readonly ip: string
  readonly providerId?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly systemUuid?: string
}

const CLUSTER_ID = '421ef003-d031-4835-8bb2-0569d96d942b'
export const CLUSTER_TOKEN = 'a-token-of-a-service-account'
export const DIGEST = `sha256:${'b'.repeat(64)}`

export async function startKubernetes(nodes: readonly ReplayNode[] = someNodes): Promise<KubernetesReplay> {
  const replay = await startReplay((call) => answerTo(cluster, call))
  const cluster: KubernetesReplay = Object.assign(replay, { nodes: [...nodes], pods: 3, pageSize: 2 })
  return cluster
}

export const kubernetesInput = ({ address }: Replay) => ({
  provider: 'Kubernetes',
  signIn: 'service_account_token',
  values: { apiAddress: address, token: CLUSTER_TOKEN },
})

const someNodes: readonly ReplayNode[] = ['a', 'b', 'c'].map((it, n) => ({
  name: `node-${it}`,
  ip: `10.9.0.${n}`,
}))

const fault = (code: number, reason: string, message: string): ReplayAnswer => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code },
})
export const forbidden = fault(
  403,
  'Forbidden',
  'pods is forbidden: User "reader" cannot list resource "pods"',
)
export const expired = fault(410, 'Expired', 'The provided continue parameter is too old')

function answerTo(cluster: KubernetesReplay, { url, headers }: ReplayCall): ReplayAnswer {
  if (headers.authorization !== `Bearer ${CLUSTER_TOKEN}`) return fault(401, 'Unauthorized', 'Unauthorized')
  if (url.pathname === '/version') return { body: { major: '1', minor: '34', gitVersion: 'v1.34.4' } }
  if (url.pathname === '/api/v1/namespaces/kube-system')
    return { body: { kind: 'Namespace', metadata: { name: 'kube-system', uid: CLUSTER_ID } } }
  const items = listsOf(cluster)[url.pathname]
  if (!items) return fault(404, 'NotFound', 'the server could not find the requested resource')
  const from = Number(url.searchParams.get('continue') ?? 0)
  const until = from + Math.min(cluster.pageSize, Number(url.searchParams.get('limit') ?? 500))
  const more =
    until < items.length ? { continue: String(until), remainingItemCount: items.length - until } : {}
  return { body: { metadata: { resourceVersion: '1', ...more }, items: items.slice(from, until) } }
}

const listsOf = ({ nodes, pods }: KubernetesReplay): Readonly<Record<string, readonly object[]>> => ({
  '/api/v1/nodes': nodes.map(nodeOf),
  '/api/v1/pods': [
    ...Array.from({ length: pods }, (_, n) => webPod(n)),
    pod('alone', { image: 'quay.io/x/tool:1', imageID: '' }),
  ],
  '/apis/apps/v1/deployments': [workload('web', { replicas: 2, template: template('nginx:1.27') })],
  '/apis/apps/v1/statefulsets': [
    workload('db', { replicas: 1, template: template(`ghcr.io/acme/db@${DIGEST}`) }),
  ],
  '/apis/apps/v1/daemonsets': [],
  '/apis/batch/v1/cronjobs': [
    workload('night', { schedule: '0 3 * * *', jobTemplate: { spec: { template: template('busybox') } } }),
  ],
})

const nodeOf = ({ name, ip, providerId, annotations = {}, systemUuid = '' }: ReplayNode) => ({
  metadata: {
    name,
    uid: `uid-of-${name}`,
    annotations,
    labels: { 'topology.kubernetes.io/region': 'eu-west-1' },
  },
  spec: providerId === undefined ? {} : { providerID: providerId },
  status: {
    capacity: { cpu: '4', memory: '16Gi' },
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [
      { type: 'InternalIP', address: ip },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: {
      systemUUID: systemUuid,
      osImage: 'Ubuntu 22.04.4 LTS',
      containerRuntimeVersion: 'containerd://1.7.13',
      kubeletVersion: 'v1.34.1',
    },
  },
})

const template = (image: string) => ({ spec: { containers: [{ name: 'c', image }] } })

const workload = (name: string, spec: object) => ({
  metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, labels: { app: name } },
  spec,
  status: { readyReplicas: 1 },
})

const webPod = (n: number) =>
  pod(`web-6d4b75cb6d-${n}`, {
    image: 'nginx:1.27',
    imageID: `docker.io/library/nginx@${DIGEST}`,
    labels: { 'pod-template-hash': '6d4b75cb6d' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web-6d4b75cb6d', controller: true }],
  })

interface PodParts {
  readonly image: string
  readonly imageID: string
  readonly labels?: object
  readonly ownerReferences?: readonly object[]
}

const pod = (name: string, { image, imageID, ...metadata }: PodParts) => ({
  metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, ...metadata },
  spec: { containers: [{ name: 'c', image }] },
  status: { phase: 'Running', containerStatuses: [{ name: 'c', image, imageID }] },
})
