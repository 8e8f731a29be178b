import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** As `mkdtemp` completes the names that we give, and as an embedded database names the folder of its socket. */
const OURS = /^rollcall|-[\da-zA-Z]{6}$/
/** Browsers keep what they may want again; the processes of tests share a data directory that none of them needs. */
const OF_OTHERS = /^playwright|^rollcall-none$/

/**
 * Gives `run` a folder for the temporary files of all that it starts, which is gone afterwards with what was left in it.
 * Also says what that was, without what other programs leave.
 */
export function withTemporaryFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'))
  chmodSync(folder, 0o1777) // as the machine's own: databases and servers of tests run as other users
  try {
    const result = run(folder)
    return { result, left: readdirSync(folder).filter((it) => OURS.test(it) && !OF_OTHERS.test(it)) }
  } finally {
    remove(folder)
  }
}

/** What cannot be removed, such as what is mounted still, is no reason to lose what the tests have told. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  } catch (error) {
    process.stderr.write(`${folder} stays: ${error.message}\n`)
  }
}
