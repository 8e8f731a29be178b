import { describe, expect, test } from 'vitest'
import { factsOf, lastPart, listAt, nodeGroups, objectAt, tagsOf, textAt } from './read-json.ts'
import { cloudIdOf, nodeFrom } from './kubernetes/nodes.ts'

test('what is not there, or is something else, is empty', () => {
  const json = { a: { b: [1], c: 'text', n: 3, no: false, nothing: null }, list: ['x'] }
  expect([objectAt(json, 'a', 'b'), objectAt(json, 'a', 'nothing'), objectAt(json, 'x', 'y')]).toEqual([
    {},
    {},
    {},
  ])
  expect(objectAt(json, 'a')).toBe(json.a)
  expect([listAt(json, 'a', 'b'), listAt(json, 'a', 'c'), listAt(null, 'a')]).toEqual([[1], [], []])
  expect(['c', 'n', 'no', 'nothing', 'b'].map((name) => textAt(json, 'a', name))).toEqual([
    'text',
    '3',
    'false',
    '',
    '',
  ])
  expect(textAt('x', 'length')).toBe('')
})

test('labels are tags by key; those that are no texts are left out', () => {
  expect(tagsOf({ b: '2', a: '', c: 7, d: null })).toEqual(['a', 'b:2'])
})

test('facts are without what is empty, and short', () => {
  expect(factsOf({ a: '', b: 'x\0y', c: 'z'.repeat(2_000) })).toEqual({ b: 'xy', c: 'z'.repeat(1_024) })
})

test.each([
  [[], ''],
  [[{ name: 'p', size: 'e2', count: '3' }], 'p (3 of e2)'],
  [[{ name: 'p', size: 'e2', count: '' }], 'p (e2)'],
  [[{ name: 'p', size: '', count: '3' }], 'p (3)'],
  [
    [
      { name: 'p', size: '', count: '' },
      { name: 'q', size: '', count: '' },
    ],
    'p, q',
  ],
])('groups of nodes %j are told as %j', (groups, text) => {
  expect(nodeGroups(groups)).toBe(text)
})

test('the last part of a path is behind its last slash', () => {
  expect(['a/b/c', 'c', 'a/'].map(lastPart)).toEqual(['c', 'c', ''])
})

describe('a node of Kubernetes', () => {
  const node = {
    metadata: {
      uid: 'u1',
      name: 'node-1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        'topology.kubernetes.io/region': 'eu-west-1',
        'topology.kubernetes.io/zone': 'eu-west-1a',
        'node.kubernetes.io/instance-type': 'm5.large',
      },
    },
    spec: { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' },
    status: {
      capacity: { cpu: '4', memory: '16Gi' },
      conditions: [
        { type: 'DiskPressure', status: 'True' },
        { type: 'Ready', status: 'True' },
      ],
      addresses: [
        { type: 'ExternalIP', address: '203.0.113.9' },
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: 'host-1' },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.31.7-gke.1',
        containerRuntimeVersion: 'containerd://1.7.2',
        kernelVersion: '6.1',
        architecture: 'amd64',
        systemUUID: 'EC2A0F1C-0000-4000-8000-000000000001',
        machineID: '0123456789abcdef0123456789abcdef',
        osImage: 'Debian',
      },
    },
  }

  test('is the machine that it runs on, with what it runs', () => {
    expect(nodeFrom(node, 'cluster-1')).toEqual({
      scope: { account: 'cluster-1', region: 'global', type: 'compute' },
      region: 'eu-west-1',
      nativeId: 'k8s:cluster-1/node/u1',
      name: 'node-1',
      status: 'ready',
      tags: [
        'node.kubernetes.io/instance-type:m5.large',
        'topology.kubernetes.io/region:eu-west-1',
        'topology.kubernetes.io/zone:eu-west-1a',
      ],
      facts: {
        cluster: 'cluster-1',
        provider_id: 'aws:///eu-west-1a/i-0123456789abcdef0',
        kubelet: 'v1.31.7-gke.1',
        container_runtime: 'containerd://1.7.2',
        kernel: '6.1',
        architecture: 'amd64',
        size: 'm5.large',
        zone: 'eu-west-1a',
        cpu: '4',
        memory: '16Gi',
        created: '2026-01-01T00:00:00Z',
      },
      machine: {
        macs: [],
        ips: ['10.0.0.1', '203.0.113.9'],
        hostname: 'host-1',
        cloudId: 'aws:i-0123456789abcdef0',
        smbiosUuid: 'ec2a0f1c-0000-4000-8000-000000000001',
        machineId: '0123456789abcdef0123456789abcdef',
        os: 'Debian',
      },
      software: {
        complete: ['sbom'],
        items: [
          {
            origin: 'sbom',
            name: 'kubelet',
            version: 'v1.31.7-gke.1',
            purl: 'pkg:golang/k8s.io/kubernetes@v1.31.7',
          },
          {
            origin: 'sbom',
            name: 'containerd',
            version: '1.7.2',
            purl: 'pkg:golang/github.com/containerd/containerd@v1.7.2',
          },
        ],
      },
    })
  })

  test('outside of a cloud is a device, known by what it knows of itself', () => {
    const own = {
      metadata: { uid: 'u2', name: 'node-2' },
      status: { nodeInfo: { systemUUID: 'x', machineID: 'y' } },
    }
    expect(nodeFrom(own, 'c')).toMatchObject({
      region: 'global',
      assetType: 'device',
      machine: { macs: [], ips: [], hostname: 'node-2' },
      software: { complete: ['sbom'], items: [] },
    })
    expect(Object.keys(nodeFrom(own, 'c').machine ?? {})).toEqual(['macs', 'ips', 'hostname'])
    const crio = { status: { nodeInfo: { containerRuntimeVersion: 'cri-o://1.30' } } }
    expect(nodeFrom(crio, 'c').software?.items).toEqual([{ origin: 'sbom', name: 'cri-o', version: '1.30' }])
  })

  test.each([
    [{}, 'unknown'],
    [{ status: { conditions: [{ type: 'Ready', status: 'False' }] } }, 'not ready'],
    [
      { status: { conditions: [{ type: 'Ready', status: 'True' }] }, spec: { unschedulable: true } },
      'ready, cordoned',
    ],
  ])('%j is %s', (json, status) => {
    expect(nodeFrom(json, 'c').status).toBe(status)
  })

  test.each([
    ['gce://project/zone/name', '123', 'gcp:123'],
    ['gce://project/zone/name', 'x', undefined],
    ['aws:///eu-west-1a/i-1', '123', undefined],
    ['azure:///subscriptions/x', '123', undefined],
  ])('%s with the annotation %s has the id %s', (providerID, instance, id) => {
    const annotations = { 'container.googleapis.com/instance_id': instance }
    expect(cloudIdOf({ spec: { providerID }, metadata: { annotations } })).toBe(id)
  })
})
