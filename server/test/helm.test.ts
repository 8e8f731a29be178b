import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { chartDigest, RENDERED } from '../../scripts/package/chart-digest.mjs'
import { settings } from '../src/config.ts'

// Of what helm made of the chart (node scripts/render-chart.mjs); that it was made of the chart as it is, the digest says.

const ROOT = join(import.meta.dirname, '../..')
const CHART = join(ROOT, 'deploy/helm/rollcall')
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

const yamlOf = (path: string): unknown => parse(readFileSync(path, 'utf8'))
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
  const chart = yamlOf(join(CHART, 'Chart.yaml')) as Record<string, string>
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

test('settings are written out as they were given, those of the secret taken from it', () => {
  const server = pods[0]?.pod.spec.containers[0]?.env
  expect(server).toContainEqual({ name: 'RATE_LIMIT_PER_MINUTE', value: '1000000' })
  expect(server).toContainEqual({
    name: 'METRICS_TOKEN',
    valueFrom: { secretKeyRef: { name: 'rollcall', key: 'METRICS_TOKEN' } },
  })
})

describe('the schema of its values', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as object
  const fits = new Ajv({ allowUnionTypes: true }).compile(schema)
  const usual = yamlOf(join(CHART, 'values.yaml')) as Record<string, object>

  test.each([
    ['what is set when nothing is given', usual],
    ['every part', yamlOf(join(ROOT, 'deploy/helm/all-parts.yaml'))],
  ])('takes %s', (_, values) => {
    expect([fits(values), fits.errors]).toEqual([true, null])
  })

  test.each([
    ['a key that there is not', { ...usual, replica: 3 }],
    ['a key inside of another', { ...usual, ingress: { ...usual['ingress'], hosts: ['a'] } }],
    ['a number as text', { ...usual, replicas: '3' }],
    ['an address without https', { ...usual, publicUrl: 'inventory.example.org' }],
    ['the name of a setting in another spelling', { ...usual, settings: { logLevel: 'info' } }],
    ['a setting with parts', { ...usual, settings: { TRUSTED_PROXIES: ['10.0.0.0/8'] } }],
    ['a setting that the chart makes', { ...usual, settings: { PORT: 80 } }],
  ])('refuses %s', (_, values) => {
    expect(fits(values)).toBe(false)
  })

  const secrets = Object.values(settings).flatMap((it) => ('secret' in it ? it.name : []))
  test.each(secrets)('refuses %s among what all may read', (name) => {
    expect(fits({ ...usual, settings: { [name]: 'x' } })).toBe(false)
  })

  test('knows every value that there is', () => {
    const { properties } = schema as { properties: Record<string, object> }
    expect(Object.keys(properties).filter((it) => it !== 'global')).toEqual(Object.keys(usual))
  })
})
