import { expect, test } from 'vitest'
import { azureResource } from './azure/azure-resources.ts'
import { googleResource } from './google/google-resources.ts'
import { nodeFrom } from './kubernetes/nodes.ts'

/** What is told of a machine, whole and of one of which little is known. */

const VM = '/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/web'
const vm = (properties: object, more: object = {}) => ({
  id: VM.toUpperCase(),
  type: 'Microsoft.Compute/virtualMachines',
  name: 'web',
  subscriptionId: 'S',
  location: 'West Europe',
  properties,
  ...more,
})

test('a machine of Azure is told by its id, its addresses, and what runs on it', () => {
  const network = new Map([
    [VM, { macs: ['00:0d:3a:00:00:01'], ips: ['10.0.0.4'], publicIps: ['192.0.2.4'] }],
  ])
  const view = {
    computerName: 'web-host',
    osName: 'ubuntu',
    osVersion: '22.04',
    powerState: { code: 'PowerState/running' },
  }
  const row = vm(
    {
      vmId: 'ABC-1',
      extended: { instanceView: view },
      hardwareProfile: { vmSize: 'D2' },
      storageProfile: { imageReference: { publisher: 'canonical', offer: 'jammy', sku: '22_04' } },
      timeCreated: '2026-01-01',
    },
    { tags: { env: 'prod' }, zones: ['1', '2'] },
  )
  expect(azureResource(row, 'compute', network)).toEqual({
    scope: { account: 's', region: 'global', type: 'compute' },
    region: 'westeurope',
    nativeId: VM,
    name: 'web',
    status: 'running',
    tags: ['env:prod'],
    facts: {
      kind: 'Microsoft.Compute/virtualMachines',
      size: 'D2',
      image: 'canonical jammy 22_04',
      zones: '1, 2',
      created: '2026-01-01',
      public_ip: '192.0.2.4',
    },
    machine: {
      cloudId: 'azure:abc-1',
      smbiosUuid: 'abc-1',
      macs: ['00:0d:3a:00:00:01'],
      ips: ['10.0.0.4', '192.0.2.4'],
      hostname: 'web-host',
      os: 'ubuntu 22.04',
    },
  })
})

test('of a machine of Azure that has told little, what was asked for is told', () => {
  const asked = { osProfile: { computerName: 'wanted' }, storageProfile: { osDisk: { osType: 'Linux' } } }
  const told = (properties: object) => azureResource(vm({ vmId: 'x', ...properties }), 'compute', undefined)
  expect(told(asked)).toMatchObject({
    status: 'unknown',
    machine: { hostname: 'wanted', os: 'Linux', macs: [], ips: [] },
  })
  expect(told({})?.machine).toEqual({ cloudId: 'azure:x', smbiosUuid: 'x', macs: [], ips: [] })
  expect(azureResource(vm({}), 'compute', undefined)).not.toHaveProperty('machine')
  expect(azureResource(vm({ vmId: 'x' }), 'storage', undefined)).not.toHaveProperty('machine')
  expect(azureResource({ ...vm({}), id: '' }, 'compute', undefined)).toBeUndefined()
})

test.each([
  ['function', { kind: 'functionapp,linux' }, true],
  ['function', { kind: 'app' }, false],
  ['function', { kind: 'functionapp,workflowapp' }, false],
  ['database', { name: 'master' }, false],
  ['database', { name: 'orders' }, true],
  ['storage', { name: 'master' }, true],
] as const)('of Azure as %s, %j is a resource: %s', (type, changes, isOne) => {
  expect(azureResource(vm({}, changes), type, undefined) !== undefined).toBe(isOne)
})

test.each([
  [{ status: 'Online', state: 'x' }, 'Online'],
  [{ state: 'Running' }, 'Running'],
  [{ powerState: { code: 'Stopped' }, provisioningState: 'Succeeded' }, 'Stopped'],
  [{ provisioningState: 'Succeeded' }, 'succeeded'],
])('of Azure %j has the status %s', (properties, status) => {
  expect(azureResource(vm(properties), 'storage', undefined)?.status).toBe(status)
})

test('a machine of Google is told by its number, its addresses and its name', () => {
  const data = {
    id: '42',
    name: 'web',
    hostname: 'web.example',
    zone: 'zones/europe-west4-a',
    status: 'RUNNING',
    machineType: 'zones/x/machineTypes/e2-small',
    labels: { env: 'prod', 'goog-k8s-cluster-name': 'c1' },
    networkInterfaces: [
      {
        networkIP: '10.9.0.2',
        ipv6Address: '2001:db8::2',
        network: 'global/networks/n1',
        accessConfigs: [{ natIP: '192.0.2.9' }],
      },
      { networkIP: '10.9.1.2' },
    ],
    serviceAccounts: [{ email: 'sa@example' }],
  }
  expect(googleResource({ project: 'p', fullName: '//compute/web', data }, 'compute')).toEqual({
    scope: { account: 'p', region: 'global', type: 'compute' },
    region: 'europe-west4',
    nativeId: '//compute/web',
    name: 'web',
    status: 'RUNNING',
    tags: ['env:prod', 'goog-k8s-cluster-name:c1'],
    facts: {
      size: 'e2-small',
      zone: 'europe-west4-a',
      network: 'n1',
      service_account: 'sa@example',
      public_ip: '192.0.2.9',
      cluster: 'c1',
    },
    machine: {
      cloudId: 'gcp:42',
      hostname: 'web.example',
      macs: [],
      ips: ['10.9.0.2', '2001:db8::2', '10.9.1.2', '192.0.2.9'],
    },
  })
  const little = googleResource(
    { project: 'p', fullName: '//compute/db', data: { id: '7', name: 'db' } },
    'compute',
  )
  expect(little).toMatchObject({ region: 'global', name: 'db', machine: { hostname: 'db', ips: [] } })
  const unnamed = googleResource({ project: 'p', fullName: '//compute/x', data: {} }, 'compute')
  expect(unnamed).toMatchObject({ name: 'x' })
  expect(unnamed).not.toHaveProperty('machine')
})

test('a node of Kubernetes is the machine of its cloud, or a device by what it knows of itself', () => {
  const uuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
  const node = (spec: object, info: object, annotations: object = {}) =>
    nodeFrom(
      {
        metadata: {
          name: 'node-1',
          uid: 'u1',
          annotations,
          labels: { 'topology.kubernetes.io/region': 'eu-west-1' },
        },
        spec,
        status: {
          nodeInfo: info,
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'ExternalIP', address: '192.0.2.1' },
            { type: 'Hostname', address: 'host-1' },
          ],
        },
      },
      'cluster',
    )
  const whole = node(
    { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' },
    { systemUUID: uuid, machineID: 'a'.repeat(32), osImage: 'Bottlerocket', kubeletVersion: 'v1.31.7-eks' },
  )
  expect(whole).toMatchObject({ region: 'eu-west-1', name: 'node-1', status: 'ready' })
  expect(whole.machine).toEqual({
    macs: [],
    ips: ['10.0.0.1', '192.0.2.1'],
    hostname: 'host-1',
    cloudId: 'aws:i-0123456789abcdef0',
    smbiosUuid: uuid.toLowerCase(),
    machineId: 'a'.repeat(32),
    os: 'Bottlerocket',
  })
  expect(whole).not.toHaveProperty('assetType')
  const google = node({ providerID: 'gce://p/z/n' }, {}, { 'container.googleapis.com/instance_id': '42' })
  expect(google.machine).toEqual({
    macs: [],
    ips: ['10.0.0.1', '192.0.2.1'],
    hostname: 'host-1',
    cloudId: 'gcp:42',
  })
  const alone = node({ unschedulable: true }, { systemUUID: 'x', machineID: 'x' })
  expect(alone).toMatchObject({ assetType: 'device', status: 'ready, cordoned' })
  expect(Object.keys(alone.machine ?? {}).toSorted()).toEqual(['hostname', 'ips', 'macs'])
})
