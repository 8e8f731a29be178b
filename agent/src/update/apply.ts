import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../collecting/machine.ts'
import { VERSION } from '../version.ts'
import type { SignedCalls } from '../wire/signed-calls.ts'
import { nodeIn, platformOf, programIn } from './platform.ts'
import { ownRoots, verifiedManifest } from './signed-release.ts'
import { unpack } from './unpack.ts'
import { begin, readUpdateState, versionFolder } from './update-state.ts'
import { isNewer } from './version-order.ts'

export interface UpdateToApply {
  readonly folder: string
  /** As the server sent it. */
  readonly release: unknown
  readonly roots?: readonly string[]
}

/**
 * Checks and unpacks a new version, lets it test itself, and has the next round begin with it. Answers its version; undefined
 * when its time has not come. Throws with the reason when it may not be taken; the version that runs goes on then.
 */
export async function applyUpdate(
  { folder, release, roots = ownRoots() }: UpdateToApply,
  calls: SignedCalls,
  machine: Machine,
): Promise<string | undefined> {
  const now = calls.serverTime()
  // a server in wrong hands must not give a key that has ended its time back
  const { version, notBefore, files } = verifiedManifest(release, roots, Math.max(Date.now(), now))
  if (now < notBefore) return undefined
  const { greatest, running, before } = readUpdateState(folder)
  for (const known of [VERSION, greatest])
    if (known !== '' && !isNewer(version, known))
      throw new Error(`update ${version} is not newer than ${known}`)
  const own = platformOf(machine)
  const platform = Object.hasOwn(files, own) ? own : 'any'
  const file = Object.hasOwn(files, platform) ? files[platform] : undefined
  if (!file) throw new Error(`update ${version} has no archive for ${own}`)
  const versions = versionFolder(folder, '')
  mkdirSync(versions, { recursive: true, mode: 0o700 })
  const [archive, unpacked] = [join(versions, 'archive'), join(versions, 'unpacked')]
  try {
    for (const old of readdirSync(versions))
      if (old !== running && old !== before) rmSync(join(versions, old), { recursive: true, force: true })
    await calls.download(`update/${version}/${platform}`, { file: archive, bytesMax: file.size })
    if ((await hashOf(archive)) !== file.sha256)
      throw new Error(`the archive of update ${version} does not have the hash of its manifest`)
    await unpack(archive, unpacked)
    await selfTest(unpacked, version, machine)
    renameSync(unpacked, versionFolder(folder, version))
  } finally {
    for (const left of [archive, unpacked]) rmSync(left, { recursive: true, force: true })
  }
  begin(folder, version)
  return version
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** The new version, as a process of its own, says which it is. */
async function selfTest(folder: string, version: string, machine: Machine): Promise<void> {
  const printed = await machine.run(nodeIn(folder), [programIn(folder), 'self-test'])
  if (printed?.trim() !== version) throw new Error(`update ${version} failed its own test`)
}
