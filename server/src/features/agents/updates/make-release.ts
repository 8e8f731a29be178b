import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalid } from '#platform/errors.ts'
import { makeArchive } from '../packages/agent-archive.ts'
import { nodeOf, platformNamed, type AgentPlatform } from '../packages/agent-platforms.ts'
import { agentVersion, serverVersion } from '../packages/versions.ts'
import {
  certified,
  newSigningKey,
  publicKeyOf,
  signedRelease,
  type Manifest,
  type ReleaseFile,
  type ReleaseKey,
  type SignedRelease,
  type SigningKey,
} from './signed-release.ts'

export const RELEASE_FILE = 'release.json'
export const archiveName = (platform: string): string => `rollcall-agent-${platform}.tar.gz`

const DAY_MS = 86_400_000
const DAYS_MAX = 3_650

/** Writes a new root key, for its owner alone; answers the public key. Throws when the file is there already. */
export function makeRoot(file: string): string {
  const key = newSigningKey()
  writeSecret(file, key)
  return key.public_key
}

/** Writes a new key that signs releases for `days` days, certified by a root. */
export function makeReleaseKey(
  file: string,
  { rootFile, days, now }: { readonly rootFile: string; readonly days: number; readonly now: Date },
): ReleaseKey {
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX)
    throw invalid('days', `must be a whole number from 1 to ${DAYS_MAX}`)
  const key = newSigningKey()
  const certificate = certified(key, signingKeyIn(rootFile), new Date(now.getTime() + days * DAY_MS))
  writeSecret(file, { ...key, certificate })
  return certificate
}

export interface ReleaseToMake {
  readonly folder: string
  readonly keyFile: string
  readonly platforms: readonly string[]
  readonly notBefore: Date
}

/**
 * Packs the agent of this installation for each platform, and signs the manifest. Everything is written into `folder`. The
 * archives are the same, byte by byte, wherever the same files are packed.
 */
export async function makeRelease({
  folder,
  keyFile,
  platforms,
  notBefore,
}: ReleaseToMake): Promise<Manifest> {
  const key = signingKeyIn(keyFile)
  const certificate = (JSON.parse(readFileSync(keyFile, 'utf8')) as { certificate?: ReleaseKey }).certificate
  if (!certificate) throw invalid('key', 'is no release key: it has no certificate of a root')
  mkdirSync(folder, { recursive: true })
  const files: Record<string, ReleaseFile> = {}
  for (const platform of platforms) files[platform] = await packed(folder, servedPlatform(platform))
  const manifest: Manifest = {
    version: agentVersion(),
    min_server: serverVersion(),
    not_before: notBefore.toISOString(),
    files,
  }
  const release: SignedRelease = signedRelease(manifest, key, certificate)
  writeFileSync(join(folder, RELEASE_FILE), `${JSON.stringify(release, undefined, 2)}\n`)
  return manifest
}

function servedPlatform(text: string): AgentPlatform {
  const platform = platformNamed(text)
  if (!platform) throw invalid('platform', `${text} is none for which the agent is packed`)
  if (platform !== 'any' && !nodeOf(platform))
    throw invalid('platform', `the Node of ${platform} is not installed here (npm package node-${platform})`)
  return platform
}

async function packed(folder: string, platform: AgentPlatform): Promise<ReleaseFile> {
  await using archive = await makeArchive(platform)
  const hash = createHash('sha256')
  const content = archive.content()
  const chunks: Buffer[] = []
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk)
    chunks.push(chunk)
  }
  writeFileSync(join(folder, archiveName(platform)), Buffer.concat(chunks))
  return { sha256: hash.digest('hex'), size: archive.size }
}

function signingKeyIn(file: string): SigningKey {
  let stored: unknown
  try {
    stored = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw invalid('key', `${file} cannot be read: ${(error as Error).message}`)
  }
  const { private_key } = stored as Partial<SigningKey>
  if (typeof private_key !== 'string') throw invalid('key', `${file} holds no private key`)
  return { private_key, public_key: publicKeyOf(private_key) }
}

function writeSecret(file: string, value: object): void {
  try {
    writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw invalid('file', `${file} is there already`)
    throw error
  }
}
