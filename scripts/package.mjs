import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDocsIfNeeded } from './build-docs.mjs'
import { buildServerIfNeeded } from './build-server.mjs'
import { buildWebIfNeeded } from './build-web.mjs'
import { installIfNeeded, ROOT } from './install.mjs'
import { billOfMaterials } from './package/bill-of-materials.mjs'
import { makeDebianPackage } from './package/debian.mjs'
import { provenanceOf, readSource, sha256Of } from './package/provenance.mjs'
import { shippedPackages } from './package/shipped-packages.mjs'
import { makeTree } from './package/tree.mjs'

// npm run package [-- --into FOLDER --debian]: everything that a server needs and nothing else, as a folder, an archive and a
// Debian package, with its bill of materials, provenance and digests. The same sources make the same bytes. Needs GNU tar and
// gzip, for the Debian package dpkg-deb.

const { values } = parseArgs({
  options: {
    into: { type: 'string', default: join(ROOT, 'dist') },
    debian: { type: 'boolean', default: false },
  },
})
const into = resolve(values.into)
installIfNeeded()
buildWebIfNeeded()
buildDocsIfNeeded()
buildServerIfNeeded()

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const platform = `${process.platform}-${process.arch}`
const source = readSource()
const builtAt = new Date(source.seconds * 1_000).toISOString().replace('.000', '')
const packages = shippedPackages({ platform })
const name = `rollcall-${version}-${platform}`
const bill = jsonText(billOfMaterials({ version, platform, packages, builtAt }))

mkdirSync(into, { recursive: true })
makeTree(join(into, name), { platform, packages, texts: [['sbom.cdx.json', bill]] })
run('tar', [
  '--create',
  '--format=gnu',
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=go-w',
  `--mtime=@${source.seconds}`,
  '--use-compress-program=gzip -n',
  `--file=${join(into, name)}.tar.gz`,
  `--directory=${into}`,
  name,
])
writeFileSync(join(into, `${name}.cdx.json`), bill)
const made = [`${name}.cdx.json`, `${name}.tar.gz`]
if (values.debian)
  made.push(makeDebianPackage({ tree: join(into, name), folder: into, version, seconds: source.seconds }))
const subjects = made.map((file) => ({ name: file, sha256: sha256Of(join(into, file)) }))
const provenance = jsonText(provenanceOf({ subjects, platform, source, builtAt }))
writeFileSync(join(into, `${name}.provenance.json`), provenance)
const files = [...made, `${name}.provenance.json`]
const sums = files.map((file) => `${sha256Of(join(into, file))}  ${file}\n`).join('')
writeFileSync(join(into, 'SHA256SUMS'), sums)
process.stdout.write(sums)

function jsonText(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) return
  process.stderr.write(`${program} failed${error ? `: ${error.message}` : ''}\n`)
  process.exit(1)
}
