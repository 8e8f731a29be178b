import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { chartDigest, RENDERED } from '../../scripts/package/chart-digest.mjs'
import { settings } from '../src/config.ts'

// Of what helm made of the chart (node scripts/render-chart.mjs); that it was made of the chart as it is, the digest says.

const ROOT = join(import.meta.dirname, '../..')
const NAMES = new Set(Object.values(settings).flatMap(({ name }) => [name, `${name}_FILE`]))
const ROLLCALL_USER = 10_001

interface Container {
  readonly image: string
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } }
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly automountServiceAccountToken: boolean
    readonly securityContext: object
    readonly containers: readonly Container[]
    readonly volumes: readonly { readonly name: string }[]
  }
}
interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly template?: Pod
    readonly selector?: object
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
  }
}

const text = readFileSync(RENDERED, 'utf8')
const resources = parseAllDocuments(text).map((it) => it.toJS() as Resource)
const one = (kind: string): Resource => {
  const [found, ...others] = resources.filter((it) => it.kind === kind)
  if (!found || others.length > 0) throw new Error(`there is not one ${kind}`)
  return found
}
const pods = (['Deployment', 'StatefulSet'] as const).map((kind) => ({
  kind,
  resource: one(kind),
  pod: one(kind).spec.template!,
}))

test('it was rendered of the chart as it is; node scripts/render-chart.mjs does so, with helm', () => {
  expect(/digest ([0-9a-f]{64})/.exec(text)?.[1]).toBe(chartDigest())
})

test('chart and images have the version of the workspace', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const chart = parse(readFileSync(join(ROOT, 'deploy/helm/rollcall/Chart.yaml'), 'utf8')) as Record<
    string,
    string
  >
  expect([chart['version'], chart['appVersion']]).toEqual([version, version])
  expect(pods.map(({ pod }) => pod.spec.containers[0]?.image)).toEqual([
    `rollcall:${version}`,
    `rollcall-collector:${version}`,
  ])
})

test.each(pods)(
  '$kind: nobody is root, nothing is written but its volumes, no token of the cluster',
  ({ resource, pod }) => {
    const { securityContext, automountServiceAccountToken, containers, volumes } = pod.spec
    expect(automountServiceAccountToken).toBe(false)
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: ROLLCALL_USER,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    const claims = resource.spec.volumeClaimTemplates ?? []
    const named = [...volumes.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)]
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/var/lib/rollcall', '/tmp'])
      expect(named).toEqual(expect.arrayContaining(container.volumeMounts.map(({ name }) => name)))
    }
  },
)

test.each(pods)('$kind: sets what there is, and secrets by their names alone', ({ pod }) => {
  const variables = pod.spec.containers.flatMap(({ env }) => env)
  expect(variables.filter(({ name }) => !NAMES.has(name))).toEqual([])
  const secrets = Object.values(settings).flatMap((it) => ('secret' in it ? it.name : []))
  expect(
    variables.filter(({ name, value }) => secrets.includes(name as never) && value !== undefined),
  ).toEqual([])
})

test('the service leads to pods of the server, probes and service to a port that they have', () => {
  const [server, collector] = pods.map(({ pod }) => pod)
  const service = one('Service')
  expect(server?.metadata.labels).toMatchObject(service.spec.selector ?? {})
  expect(collector?.metadata.labels).not.toMatchObject(service.spec.selector ?? {})
  const [container] = server?.spec.containers ?? []
  const ports = container?.ports?.map(({ name }) => name)
  expect(ports).toEqual(service.spec.ports?.map(({ targetPort }) => targetPort))
  for (const [probe, path] of [
    ['startupProbe', '/healthz'],
    ['livenessProbe', '/healthz'],
    ['readinessProbe', '/readyz'],
  ] as const)
    expect(container?.[probe]?.httpGet).toEqual({ path, port: ports?.[0] })
})
