import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isReachable, postgresBinaries, type User } from './binaries.ts'

/** Where a cluster lives and who runs it. */
export interface ClusterDirectory {
  readonly binaries: string
  readonly runAs: User | undefined
  readonly cluster: string
  readonly socketFolder: string
  readonly log: string
  /** Of the superuser and of the application's owner role; stored in the data directory only. */
  readonly password: string
}

/** Linux limits a socket's path to 107 bytes; the file is named `.s.PGSQL.5432`. */
const SOCKET_FOLDER_LENGTH_MAX = 90

/** Finds the cluster of `dataDir`, and makes it when there is none. */
export async function prepareClusterDirectory(dataDir: string): Promise<ClusterDirectory> {
  await mkdir(dataDir, { recursive: true })
  const root = await realpath(dataDir)
  const runAs = await unprivilegedUser()
  const cluster = await findCluster(root, runAs)
  const place = {
    binaries: await postgresBinaries(root, runAs),
    runAs,
    cluster,
    socketFolder: socketFolderOf(root, cluster),
    log: join(root, 'postgres.log'),
    password: await readPassword(root),
  }
  await initialise(place)
  return place
}

/** Before each start of the server: the process that stopped the last one has removed it. */
export async function makeSocketFolder({ socketFolder: folder, runAs }: ClusterDirectory): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const owner = (await lstat(folder)).uid
  if (owner !== (process.getuid?.() ?? owner) && owner !== runAs?.uid)
    throw new Error(`${folder} belongs to another user`)
  await chmod(folder, 0o700)
  if (runAs) await chown(folder, runAs.uid, runAs.gid)
}

/** After the server has ended: it may be among the temporary files of the machine, where nobody else would. */
export async function removeSocketFolder({ socketFolder }: ClusterDirectory): Promise<void> {
  await rmdir(socketFolder).catch(() => undefined) // gone, or in use by the next one
}

/** PostgreSQL refuses to run as root: as root it runs as `postgres`, or `nobody` where there is no such user. */
export async function unprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((name) => lines.find((line) => line[0] === name)).find(Boolean)
  if (!found)
    throw new Error(
      'PostgreSQL cannot run as root, and there is neither a user postgres nor nobody; set DATABASE_URL',
    )
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** Below the data directory; where PostgreSQL's unprivileged user cannot reach that, elsewhere with a symbolic link. */
async function findCluster(root: string, runAs: User | undefined): Promise<string> {
  const here = join(root, 'postgres')
  const elsewhere = await readlink(here).catch(() => undefined)
  if (elsewhere) return join(elsewhere, 'postgres')
  if (!runAs || (await isReachable(root, runAs))) return here
  const made = join('/var/lib/rollcall', keyOf(root))
  await mkdir(made, { recursive: true, mode: 0o755 })
  await symlink(made, here).catch(unlessExists)
  return join(made, 'postgres')
}

function socketFolderOf(root: string, cluster: string): string {
  const near = join(root, 'run')
  const isNear = near.length <= SOCKET_FOLDER_LENGTH_MAX && cluster.startsWith(root)
  return isNear ? near : join(tmpdir(), `rollcall-${process.getuid?.() ?? 0}-${keyOf(root)}`)
}

/** Created once; of two processes that start at the same time the first wins. */
async function readPassword(root: string): Promise<string> {
  const file = join(root, 'postgres.password')
  await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(unlessExists)
  return (await readFile(file, 'utf8')).trim()
}

/** Created under a temporary name and renamed into place, so that a crash leaves no incomplete cluster. */
async function initialise(place: ClusterDirectory): Promise<void> {
  const { runAs, cluster } = place
  const made = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (made !== undefined) return
  const unfinished = `${cluster}.${randomBytes(4).toString('hex')}`
  const passwordFile = `${unfinished}.password`
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordFile, place.password, { mode: 0o600 })
  if (runAs) await Promise.all([unfinished, passwordFile].map((path) => chown(path, runAs.uid, runAs.gid)))
  try {
    await runInitdb(place, unfinished, passwordFile)
    await rename(unfinished, cluster)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await lstat(join(cluster, 'PG_VERSION')).catch(() => undefined))) throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** The built-in collation: orders by code point, the same on every machine and in every release of its libraries. */
async function runInitdb(place: ClusterDirectory, folder: string, passwordFile: string): Promise<void> {
  const collation = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '-E', 'UTF8']
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  await promisify(execFile)(
    join(place.binaries, 'bin/initdb'),
    ['-D', folder, ...access, ...collation, '--data-checksums'],
    { ...place.runAs, cwd: dirname(folder) },
  )
}

const keyOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16)

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
