import { X509Certificate } from 'node:crypto'
import { invalid } from '#platform/errors.ts'
import { GLOBAL, type SeenResource } from '../cloud-resource.ts'
import { checkAddresses } from './base-address.ts'
import { CloudFault } from './cloud-fault.ts'
import type { Connector, ResourcePage, Session } from './connector.ts'
import { kubernetesApi, type KubernetesApi } from './kubernetes/kubernetes-api.ts'
import { kubernetesInstructions } from './kubernetes/kubernetes-setup.ts'
import { nodeFrom } from './kubernetes/nodes.ts'
import { RunningImages, workloadFrom, workloadLists } from './kubernetes/workloads.ts'
import { factsOf, textAt } from './read-json.ts'

/** A cluster by its own API server: nodes, workloads, and the cluster with the images that run in it. */
export const kubernetes: Connector = {
  provider: 'Kubernetes',
  fields: [
    {
      name: 'apiAddress',
      label: 'Address of the API server',
      help: 'As kubectl has it, such as https://10.0.0.1:6443',
      isRequired: true,
    },
    {
      name: 'certificateAuthority',
      label: 'Certificate authority (PEM)',
      help: 'By which the API server is known; empty where its certificate is publicly trusted',
      isLong: true,
    },
  ],
  signIns: [
    {
      name: 'service_account_token',
      label: 'Token of a service account',
      fields: [{ name: 'token', label: 'Token', isSecret: true, isRequired: true, isLong: true }],
    },
  ],
  instructions: kubernetesInstructions,
  check(values) {
    checkAddresses(values)
    const ca = values['certificateAuthority']
    if (ca !== undefined && !isCertificate(ca))
      throw invalid('certificateAuthority', 'must be a certificate in PEM')
  },
  async plan(session) {
    const account = await clusterIdOf(kubernetesApi(session), session)
    const scope = { account, accountName: hostOf(session), region: GLOBAL }
    return {
      readings: [
        { key: 'nodes', scopes: [{ ...scope, type: 'compute' }] },
        {
          key: 'workloads',
          scopes: [
            { ...scope, type: 'workload' },
            { ...scope, type: 'kubernetes' },
          ],
        },
      ],
      failures: [],
    }
  },
  async *read(session, { key, scopes }) {
    const api = kubernetesApi(session)
    const account = scopes[0]?.account ?? ''
    if (key === 'workloads') yield* workloadsOf(session, api, account)
    else
      for await (const page of api.list('/api/v1/nodes'))
        yield { resources: page.map((it) => nodeFrom(it, account)) }
  },
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== ''
  } catch {
    return false
  }
}

/** The namespace kube-system lives as long as its cluster, so that its id is the cluster's. */
async function clusterIdOf(api: KubernetesApi, session: Session): Promise<string> {
  try {
    return textAt(await api.get('/api/v1/namespaces/kube-system'), 'metadata', 'uid') || hostOf(session)
  } catch (error) {
    if (error instanceof CloudFault && error.kind === 'not_allowed') return hostOf(session)
    throw error
  }
}

const hostOf = ({ settings }: Session): string => URL.parse(settings['apiAddress'] ?? '')?.host ?? ''

async function* workloadsOf(
  session: Session,
  api: KubernetesApi,
  account: string,
): AsyncIterable<ResourcePage> {
  const version = textAt(await api.get('/version'), 'gitVersion')
  const running = new RunningImages()
  for await (const pods of api.list('/api/v1/pods'))
    yield { resources: pods.flatMap((it) => running.add(it, account) ?? []) }
  for (const { kind, path } of workloadLists)
    for await (const page of api.list(path))
      yield { resources: page.map((it) => workloadFrom(account, kind, it, running)) }
  yield { resources: [clusterFrom(session, account, { version, running })] }
}

function clusterFrom(
  session: Session,
  account: string,
  { version, running }: { readonly version: string; readonly running: RunningImages },
): SeenResource {
  return {
    scope: { account, region: GLOBAL, type: 'kubernetes' },
    region: GLOBAL,
    nativeId: `k8s:${account}`,
    name: hostOf(session),
    status: 'available',
    tags: [],
    facts: factsOf({ version, host: hostOf(session) }),
    assetType: 'cluster',
    atHost: URL.parse(session.settings['apiAddress'] ?? '')?.hostname ?? '',
    software: { complete: ['sbom'], items: running.software() },
  }
}
