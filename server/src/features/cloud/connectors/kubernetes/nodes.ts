import type { SeenMachine, SeenResource } from '../../cloud-resource.ts'
import { GLOBAL } from '../../cloud-resource.ts'
import { factsOf, listAt, objectAt, tagsOf, textAt } from '../read-json.ts'

/** A node is the machine that it runs on: by the id that its cloud gave it, or by what it knows of itself. */
export function nodeFrom(node: unknown, account: string): SeenResource {
  const info = objectAt(node, 'status', 'nodeInfo')
  const labels = objectAt(node, 'metadata', 'labels')
  const provider = textAt(node, 'spec', 'providerID')
  return {
    scope: { account, region: GLOBAL, type: 'compute' },
    region: textAt(labels, 'topology.kubernetes.io/region') || GLOBAL,
    nativeId: `k8s:${account}/node/${textAt(node, 'metadata', 'uid')}`,
    name: textAt(node, 'metadata', 'name'),
    status: statusOf(node),
    tags: tagsOf(labels),
    facts: factsOf({
      cluster: account,
      provider_id: provider,
      kubelet: textAt(info, 'kubeletVersion'),
      container_runtime: textAt(info, 'containerRuntimeVersion'),
      kernel: textAt(info, 'kernelVersion'),
      architecture: textAt(info, 'architecture'),
      size: textAt(labels, 'node.kubernetes.io/instance-type'),
      zone: textAt(labels, 'topology.kubernetes.io/zone'),
      cpu: textAt(node, 'status', 'capacity', 'cpu'),
      memory: textAt(node, 'status', 'capacity', 'memory'),
      created: textAt(node, 'metadata', 'creationTimestamp'),
    }),
    machine: machineOf(node),
    ...(provider === '' && { assetType: 'device' as const }),
    software: {
      complete: ['sbom'],
      items: [
        kubelet(textAt(info, 'kubeletVersion')),
        runtime(textAt(info, 'containerRuntimeVersion')),
      ].flat(),
    },
  }
}

const statusOf = (node: unknown): string => {
  const ready = listAt(node, 'status', 'conditions').find((it) => textAt(it, 'type') === 'Ready')
  const told = ready === undefined ? 'unknown' : textAt(ready, 'status') === 'True' ? 'ready' : 'not ready'
  return textAt(node, 'spec', 'unschedulable') === 'true' ? `${told}, cordoned` : told
}

function machineOf(node: unknown): SeenMachine {
  const info = objectAt(node, 'status', 'nodeInfo')
  const addresses = listAt(node, 'status', 'addresses')
  const of = (type: string) =>
    addresses.filter((it) => textAt(it, 'type') === type).map((it) => textAt(it, 'address'))
  const cloudId = cloudIdOf(node)
  const [smbiosUuid, machineId] = [textAt(info, 'systemUUID').toLowerCase(), textAt(info, 'machineID')]
  const os = textAt(info, 'osImage')
  return {
    macs: [],
    ips: [...of('InternalIP'), ...of('ExternalIP')],
    hostname: of('Hostname')[0] || textAt(node, 'metadata', 'name'),
    ...(cloudId !== undefined && { cloudId }),
    ...(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(smbiosUuid) && { smbiosUuid }),
    ...(/^[0-9a-f]{32}$/.test(machineId) && { machineId }),
    ...(os !== '' && { os }),
  }
}

/**
 * As the connectors of clouds tell it. AWS writes the instance id into `spec.providerID`, GKE the number of the instance
 * into an annotation; on Azure the id of the VM is its SMBIOS UUID, which is compared as that.
 */
export function cloudIdOf(node: unknown): string | undefined {
  const provider = textAt(node, 'spec', 'providerID')
  const ofAws = /^aws:\/\/\/[a-z0-9-]+\/(i-[0-9a-f]{8,17})$/.exec(provider)?.[1]
  if (ofAws !== undefined) return `aws:${ofAws}`
  const ofGoogle = textAt(node, 'metadata', 'annotations', 'container.googleapis.com/instance_id')
  return provider.startsWith('gce://') && /^\d{1,20}$/.test(ofGoogle) ? `gcp:${ofGoogle}` : undefined
}

/** By the names of the Go modules, as advisories have them. */
const kubelet = (version: string) =>
  version === ''
    ? []
    : [
        {
          origin: 'sbom' as const,
          name: 'kubelet',
          version,
          purl: `pkg:golang/k8s.io/kubernetes@${plain(version)}`,
        },
      ]

function runtime(told: string) {
  const [, name = '', version = ''] = /^([a-z-]+):\/\/(.{1,100})$/.exec(told) ?? []
  if (name === '') return []
  const purl = `pkg:golang/github.com/containerd/containerd@v${plain(version)}`
  return [{ origin: 'sbom' as const, name, version, ...(name === 'containerd' && { purl }) }]
}

/** Without what a provider appends: `v1.31.7-gke.1` is of `v1.31.7`. */
const plain = (version: string): string => /^v?\d+\.\d+\.\d+/.exec(version)?.[0] ?? version
