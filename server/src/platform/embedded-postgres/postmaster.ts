import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open, readFile, readlink, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSocketFolder, type ClusterDirectory } from './cluster-directory.ts'

/** The port in the socket's name; nothing listens on the network. */
export const SOCKET_PORT = 5432
const FIRST_BREATH_MS = 100
const POLL_MS = 20

/** Starts the server process of a cluster, without waiting until it answers. */
export async function spawnPostmaster(place: ClusterDirectory, settings: readonly string[]): Promise<void> {
  await clearStrangersPid(place.cluster)
  await makeSocketFolder(place)
  const log = await open(place.log, 'a', 0o600)
  const options = [
    'listen_addresses=',
    `unix_socket_directories="${place.socketFolder.replaceAll('"', '""')}"`,
    `port=${SOCKET_PORT}`,
    ...settings,
  ]
  const postmaster = spawn(
    join(place.binaries, 'bin/postgres'),
    ['-D', place.cluster, ...options.flatMap((option) => ['-c', option])],
    {
      ...place.runAs,
      cwd: place.cluster,
      detached: true, // Ctrl-C in the terminal is ours to handle; the database ends last
      stdio: ['ignore', log.fd, log.fd],
    },
  )
  postmaster.unref()
  await Promise.race([
    sleep(FIRST_BREATH_MS),
    new Promise((resolve) => postmaster.once('exit', resolve).once('error', resolve)),
  ])
  await log.close()
}

/**
 * Alive and ours. A killed process that nobody reaps stays a zombie, after a reboot its number may be another
 * process's, and a copied data directory names the server of the original: none of these works in our folder.
 */
export async function isPostmasterAlive(cluster: string): Promise<boolean> {
  const pid = await postmasterPid(cluster)
  if (pid === undefined) return false
  if (process.platform !== 'linux') return isRunning(pid)
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return folder !== undefined && folder === (await realpath(cluster))
}

/** Fast shutdown: ends sessions, writes everything, and is waited for. */
export async function stopPostmaster(cluster: string, timeoutMs: number): Promise<void> {
  const pid = await postmasterPid(cluster)
  if (pid === undefined || !(await isPostmasterAlive(cluster))) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + timeoutMs
  while ((await isPostmasterAlive(cluster)) && Date.now() < deadline) await sleep(POLL_MS)
}

async function postmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

const pidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid')

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * PostgreSQL removes the pid file of a dead server itself, but checks only whether a process with that id runs. A file
 * whose pid has been reused by an unrelated process is therefore renamed. If a concurrent start of the same cluster was
 * faster, the file belongs to its server and is renamed back.
 */
async function clearStrangersPid(cluster: string): Promise<void> {
  const pid = await postmasterPid(cluster)
  if (pid === undefined || !isRunning(pid) || (await isPostmasterAlive(cluster))) return
  const aside = `${pidFileOf(cluster)}.${randomBytes(4).toString('hex')}`
  await rename(pidFileOf(cluster), aside)
  if (Number.parseInt(await readFile(aside, 'utf8'), 10) === pid) await rm(aside)
  else await rename(aside, pidFileOf(cluster))
}
