import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { listSoftware } from '#features/software/software.ts'
import { azureValues, startAzure, vmIdOf } from '#test/support/cloud-providers/azure-replay.ts'
import { awsValues, startAws } from '#test/support/cloud-providers/aws-replay.ts'
import {
  CLUSTER_TOKEN,
  DIGEST,
  expired,
  forbidden,
  kubernetesInput,
  startKubernetes,
} from '#test/support/cloud-providers/kubernetes-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { anyConnection, connectAndRead, work } from './cloud.fixture.ts'
import { GLOBAL } from './cloud-resource.ts'
import { connectCloud, listCoverage, listResourceDetails, listResources, syncConnection } from './cloud.ts'
import { switchCosts } from './costs/costs.ts'
import { takeIn } from './reading/resource-intake.ts'
import { clusterAt } from './resource-store.ts'
import * as scopes from './scope-store.ts'

const home = sharedTestApp()
const PAGE = { limit: 100, offset: 0 }

test('a cluster: its nodes, what runs in it by digest, and none of that among resources of clouds', async () => {
  const ctx = await home().newTenant()
  const cluster = await startKubernetes()
  const { id, problem, completeScopes } = await connectAndRead(ctx, kubernetesInput(cluster))
  expect([problem, completeScopes]).toEqual(['', 3])
  const { items } = await listResourceDetails(ctx, PAGE)
  expect(items.map(({ type, name, status }) => [type, name.replace(/:\d+$/, ''), status])).toEqual([
    ['kubernetes', '127.0.0.1', 'available'],
    ['compute', 'node-a', 'ready'],
    ['compute', 'node-b', 'ready'],
    ['compute', 'node-c', 'ready'],
    ['workload', 'shop/alone', 'Running'],
    ['workload', 'shop/db', '1 of 1 ready'],
    ['workload', 'shop/night', '0 3 * * *'],
    ['workload', 'shop/web', '1 of 2 ready'],
  ])
  const web = items.find(({ name }) => name === 'shop/web')
  expect(web).toMatchObject({
    assetId: null,
    facts: {
      kind: 'Deployment',
      images: [{ repository: 'docker.io/library/nginx', tag: '1.27', digest: DIGEST }],
    },
  })
  // workloads are no assets; what runs is software of the cluster
  const assets = await listAssets(ctx, PAGE)
  expect(assets.items.map(({ assetType }) => assetType).toSorted()).toEqual([
    'cluster',
    'device',
    'device',
    'device',
  ])
  const software = await listSoftware(ctx, PAGE)
  expect(software.items.map(({ name }) => name).toSorted()).toEqual([
    'containerd',
    'docker.io/library/nginx',
    'kubelet',
    'quay.io/x/tool',
  ])
  expect((await listResources(ctx, PAGE, { isOfCloud: true })).total).toBe(0)
  await expect(switchCosts(ctx, id, { isOn: true })).rejects.toThrow(/tells no costs/)
})

test('nodes are the machines of their clouds, and the cluster is the one that its cloud lists', async () => {
  const ctx = await home().newTenant()
  const [aws, azure] = [await startAws(1), await startAzure(1)]
  aws.fault = ({ url }) =>
    url.pathname === '/clusters/eks-1'
      ? {
          body: {
            cluster: {
              name: 'eks-1',
              arn: 'arn:aws:eks:x:1:cluster/eks-1',
              endpoint: 'https://A1B2.LOCALHOST',
            },
          },
        }
      : undefined
  await connectAndRead(ctx, { provider: 'AWS', signIn: 'access_key', values: awsValues(aws) })
  await connectAndRead(ctx, { provider: 'Azure', signIn: 'client_secret', values: azureValues(azure) })
  const before = (await listAssets(ctx, PAGE)).total
  const cluster = await startKubernetes([
    { name: 'ip-10-1-0-4', ip: '10.1.0.4', providerId: 'aws:///eu-west-1a/i-00000000000000000' },
    {
      name: 'aks-1',
      ip: '10.0.0.4',
      providerId: 'azure:///subscriptions/x/resourceGroups/y/providers/Microsoft.Compute/virtualMachines/vm0',
      systemUuid: vmIdOf('vm0').toUpperCase(),
    },
    {
      name: 'gke-1',
      ip: '10.5.0.4',
      providerId: 'gce://project-0/europe-west4-a/gke-1',
      annotations: { 'container.googleapis.com/instance_id': '4242' },
    },
  ])
  const address = cluster.address.replace('127.0.0.1', 'a1b2.localhost')
  await connectAndRead(ctx, kubernetesInput({ ...cluster, address }))
  // the machine at Google is new, the others and the cluster are known
  expect((await listAssets(ctx, PAGE)).total).toBe(before + 1)
  const { items } = await listResourceDetails(ctx, PAGE)
  const assetOf = (provider: string, name: RegExp) =>
    items.find((it) => it.provider === provider && name.test(it.name))?.assetId
  expect(assetOf('Kubernetes', /^ip-/)).toBe(assetOf('AWS', /^ec2-0/))
  expect(assetOf('Kubernetes', /^aks-1/)).toBe(assetOf('Azure', /^vm0/))
  expect(assetOf('Kubernetes', /^a1b2/)).toBe(assetOf('AWS', /^eks-1/))
})

test('a cluster is found by a name or public address that one alone has, whatever its case', async () => {
  const ctx = await home().newTenant()
  const connection = await anyConnection(ctx)
  const key = { account: 'a', region: GLOBAL, type: 'kubernetes' as const }
  await scopes.put(ctx, connection.id, [{ ...key, reading: 'all' }])
  const running = await scopes.begin(ctx, connection.id, 'all')
  const clusters = [
    'https://A1B2.example',
    '34.90.1.2',
    '10.0.0.2',
    'https://[fd00::1]',
    'two',
    'two:443',
  ].map((host, n) => ({ nativeId: `cluster-${n}`, facts: { host } }))
  const seen = clusters.map((it) => ({ ...it, scope: key, region: '', name: '', status: '', tags: [] }))
  await takeIn(
    ctx,
    connection,
    running.flatMap((scope) => seen.map((it) => ({ scope, seen: it }))),
  )
  const found = ['a1b2.example', '34.90.1.2', '10.0.0.2', '[fd00::1]', 'two', 'none'].map((host) =>
    clusterAt(ctx, host),
  )
  expect(await Promise.all(found)).toEqual(['cluster-0', 'cluster-1', ...Array.from({ length: 4 })])
})

test('what may not be listed is said and makes nothing gone; a list that expires is begun anew, once', async () => {
  const ctx = await home().newTenant()
  const cluster = await startKubernetes()
  const { id } = await connectAndRead(ctx, kubernetesInput(cluster))
  const rows = async () => (await listResources(ctx, PAGE)).items.map(({ name }) => name)
  const before = await rows()
  const again = async () => {
    await syncConnection(ctx, id)
    await work(ctx)
    const { items } = await listCoverage(ctx, id, PAGE)
    return items.map(({ type, status, reason }) => `${type} ${status} ${reason}`.trim())
  }
  cluster.fault = ({ url }) => (url.pathname === '/api/v1/pods' ? forbidden : undefined)
  expect(await again()).toEqual([
    'kubernetes failed GET /api/v1/pods: pods is forbidden: User "reader" cannot list resource "pods"',
    'workload failed GET /api/v1/pods: pods is forbidden: User "reader" cannot list resource "pods"',
    'compute complete',
  ])
  expect(await rows()).toEqual(before)
  let refused = 0
  cluster.fault = ({ url }) =>
    url.pathname === '/api/v1/nodes' && url.searchParams.has('continue') && (refused += 1) === 1
      ? expired
      : undefined
  expect(await again()).toEqual(['compute complete', 'kubernetes complete', 'workload complete'])
  cluster.fault = ({ url }) =>
    url.pathname === '/api/v1/nodes' && url.searchParams.has('continue') ? { cut: 'half' } : undefined
  cluster.nodes.shift()
  cluster.pageSize = 1
  expect((await again())[0]).toMatch(/^compute partial/)
  expect(await rows()).toEqual(before)
  cluster.fault = () => undefined
  await again()
  expect(await rows()).toEqual(before.filter((it) => it !== 'node-a'))
})

test.each([
  [{ apiAddress: 'ftp://x', token: 't' }, /apiAddress/],
  [{ apiAddress: 'https://x', token: 't', certificateAuthority: 'no certificate' }, /certificateAuthority/],
  [{ apiAddress: 'https://x' }, /token/],
])('%j is refused', async (values, message) => {
  const ctx = await home().newTenant()
  const input = {
    name: 'k',
    provider: 'Kubernetes',
    signIn: 'service_account_token',
    values: values as never,
  }
  await expect(connectCloud(ctx, input)).rejects.toThrow(message)
})

test('a token that is refused is told of when the connection is made, and is not in what is told', async () => {
  const ctx = await home().newTenant()
  const cluster = await startKubernetes()
  cluster.fault = () => ({ status: 401, body: { message: 'Unauthorized' } })
  const failing = connectCloud(ctx, { name: 'k', ...kubernetesInput(cluster) })
  await expect(failing).rejects.toThrow('GET /api/v1/namespaces/kube-system: Unauthorized')
  await expect(failing).rejects.not.toThrow(CLUSTER_TOKEN)
})
