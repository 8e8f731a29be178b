import type { InstalledSoftware } from '#features/assets/observation.ts'
import { GLOBAL, type SeenResource } from '../../cloud-resource.ts'
import { CloudFault } from '../cloud-fault.ts'
import { factsOf, listAt, objectAt, tagsOf, textAt } from '../read-json.ts'
import { imageFrom, purlOf, type Image } from './images.ts'

/** Kinds that keep pods running, and where they are listed. */
export const workloadLists: readonly { readonly kind: string; readonly path: string }[] = [
  { kind: 'Deployment', path: '/apis/apps/v1/deployments' },
  { kind: 'StatefulSet', path: '/apis/apps/v1/statefulsets' },
  { kind: 'DaemonSet', path: '/apis/apps/v1/daemonsets' },
  { kind: 'CronJob', path: '/apis/batch/v1/cronjobs' },
]

/** More images in one cluster are told of, not kept. */
const IMAGES_MAX = 20_000

/** What runs: images with their digests, by the workload that has them. Holds no pod. */
export class RunningImages {
  readonly #all = new Map<string, Image>()
  readonly #byOwner = new Map<string, Map<string, Image>>()

  /** Answers the pod as a workload of its own where nothing controls it. */
  add(pod: unknown, account: string): SeenResource | undefined {
    const images = podImages(pod)
    const owner = ownerOf(pod)
    for (const image of images) {
      const key = `${image.repository}:${image.tag}@${image.digest}`
      if (this.#all.size >= IMAGES_MAX && !this.#all.has(key))
        throw new CloudFault('too_many', `more than ${IMAGES_MAX} images run in the cluster`)
      const shared = this.#all.get(key) ?? image
      this.#all.set(key, shared)
      if (owner !== undefined) {
        const of = this.#byOwner.get(owner) ?? new Map<string, Image>()
        this.#byOwner.set(owner, of.set(key, shared))
      }
    }
    if (owner !== undefined) return undefined
    return workload(account, 'Pod', pod, { images, status: textAt(pod, 'status', 'phase') })
  }

  of(kind: string, item: unknown): readonly Image[] {
    const [namespace, name] = [textAt(item, 'metadata', 'namespace'), textAt(item, 'metadata', 'name')]
    return [...(this.#byOwner.get(`${namespace}/${kind}/${name}`)?.values() ?? [])]
  }

  /** As software of the cluster; what no registry has told the digest of has its tag alone. */
  software(): InstalledSoftware[] {
    return [...this.#all.values()].map((it) => ({
      origin: 'sbom',
      name: it.repository,
      version: it.tag || it.digest.slice(0, 19),
      purl: purlOf(it),
    }))
  }
}

export function workloadFrom(
  account: string,
  kind: string,
  item: unknown,
  running: RunningImages,
): SeenResource {
  const template =
    kind === 'CronJob'
      ? objectAt(item, 'spec', 'jobTemplate', 'spec', 'template', 'spec')
      : objectAt(item, 'spec', 'template', 'spec')
  const ran = running.of(kind, item)
  const asked = containersOf(template).map((it) => imageFrom(textAt(it, 'image'), ''))
  return workload(account, kind, item, {
    images: ran.length > 0 ? ran : asked,
    status: kind === 'CronJob' ? cronStatus(item) : readiness(kind, item),
  })
}

interface Running {
  readonly images: readonly Image[]
  readonly status: string
}

function workload(account: string, kind: string, item: unknown, { images, status }: Running): SeenResource {
  const of = (...path: string[]) => textAt(item, 'metadata', ...path)
  return {
    scope: { account, region: GLOBAL, type: 'workload' },
    region: GLOBAL,
    nativeId: `k8s:${account}/${kind}/${of('uid')}`,
    name: `${of('namespace')}/${of('name')}`,
    status,
    tags: tagsOf(objectAt(item, 'metadata', 'labels')),
    facts: {
      ...factsOf({ kind, namespace: of('namespace'), created: of('creationTimestamp') }),
      images: images.map(({ repository, tag, digest }) => ({ repository, tag, digest })),
    },
    hasNoAsset: true,
  }
}

const readiness = (kind: string, item: unknown): string => {
  const of = (name: string) => textAt(item, 'status', name) || '0'
  return kind === 'DaemonSet'
    ? `${of('numberReady')} of ${of('desiredNumberScheduled')} ready`
    : `${of('readyReplicas')} of ${textAt(item, 'spec', 'replicas') || '1'} ready`
}

const cronStatus = (item: unknown): string =>
  textAt(item, 'spec', 'suspend') === 'true' ? 'suspended' : textAt(item, 'spec', 'schedule')

const containersOf = (spec: unknown): unknown[] => [
  ...listAt(spec, 'initContainers'),
  ...listAt(spec, 'containers'),
]

/** The status tells digests once a container has been started; the specification tells names alone. */
function podImages(pod: unknown): Image[] {
  const told = [
    ...listAt(pod, 'status', 'initContainerStatuses'),
    ...listAt(pod, 'status', 'containerStatuses'),
  ]
  const digests = new Map(told.map((it) => [textAt(it, 'name'), textAt(it, 'imageID')]))
  return containersOf(objectAt(pod, 'spec'))
    .map((it) => imageFrom(textAt(it, 'image'), digests.get(textAt(it, 'name')) ?? ''))
    .filter(({ repository }) => repository !== '')
}

/** `namespace/kind/name` of what controls the pod; a ReplicaSet is named after its Deployment and the template's hash. */
function ownerOf(pod: unknown): string | undefined {
  const owner = listAt(pod, 'metadata', 'ownerReferences').find((it) => textAt(it, 'controller') === 'true')
  if (owner === undefined) return undefined
  const namespace = textAt(pod, 'metadata', 'namespace')
  const [kind, name] = [textAt(owner, 'kind'), textAt(owner, 'name')]
  const hash = textAt(pod, 'metadata', 'labels', 'pod-template-hash')
  if (kind === 'ReplicaSet' && hash !== '' && name.endsWith(`-${hash}`))
    return `${namespace}/Deployment/${name.slice(0, -hash.length - 1)}`
  // a Job of a CronJob is named after it and the minute for which it was due
  const cron = kind === 'Job' ? /^(.+)-\d{8,11}$/.exec(name)?.[1] : undefined
  return cron === undefined ? `${namespace}/${kind}/${name}` : `${namespace}/CronJob/${cron}`
}
