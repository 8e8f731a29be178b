import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Mounts a file system of its own on `folder`, in memory; false where this process may not. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
  if (isMounted) await chmod(folder, 0o755)
  return isMounted
}

export const unmountSmallDisk = (folder: string): Promise<unknown> => run('umount', [folder])
