import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Runs on whatever Node the machine has, to say so where it is too old: plain JavaScript, nothing newer than Node 18.

const OLDEST = 20

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Brings the dependencies to what package-lock.json says, if they are not. Ends the process when it cannot. */
export function installIfNeeded() {
  if (isInstalled()) return
  const [major] = process.versions.node.split('.')
  if (Number(major) < OLDEST) {
    // the npm of older ones leaves out packages that are needed for this platform
    process.stderr.write(
      `Installing needs Node ${OLDEST} or newer with its npm; this is Node ${process.versions.node}.\n`,
    )
    process.exit(1)
  }
  process.stderr.write('Installing what package-lock.json names; this takes a minute.\n')
  const npm = process.env.npm_execpath
  // no package needs its install script, so none is let run
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: ROOT, encoding: 'utf8' })
    : spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' })
  if (done.status === 0) return
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`)
  process.stderr.write('npm ci failed; see above.\n')
  process.exit(1)
}

/** npm writes this file last, so a half-done installation has none. */
function isInstalled() {
  try {
    const installed = statSync(`${ROOT}/node_modules/.package-lock.json`)
    return installed.mtimeMs >= statSync(`${ROOT}/package-lock.json`).mtimeMs
  } catch {
    return false
  }
}
