import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `work` unless another process of this host is at it; undefined then. A lock whose process is gone is taken over. */
export async function withRunLock<T>(folder: string, work: () => Promise<T>): Promise<T | undefined> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'run.lock')
  if (!acquire(path)) {
    if (isAlive(Number(readLock(path)))) return undefined
    rmSync(path, { force: true })
    if (!acquire(path)) return undefined
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function acquire(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readLock(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
