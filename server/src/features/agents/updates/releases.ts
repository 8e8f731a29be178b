import { createHash } from 'node:crypto'
import { atomically, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { releaseRoots, serverVersion } from '../packages/versions.ts'
import type { AgentKey } from '../signed/agent-key-store.ts'
import * as store from './release-store.ts'
import { isNewer, verifiedManifest, type Manifest, type SignedRelease } from './signed-release.ts'

const PART_BYTES = 1_048_576
const TAKEN_BACK_PERCENT_MAX = 2
const RINGS = 65_536

export interface NewRelease {
  readonly release: SignedRelease
  /** The archive of a platform that the manifest names. */
  readonly archive: (platform: string) => Buffer
  readonly roots?: readonly string[]
}

/**
 * Takes a release with its archives; no agent is told of it yet. Throws 400 naming what does not fit, 409 for a version that
 * is there already.
 */
export async function addRelease(
  system: Ctx,
  { release, archive, roots = releaseRoots() }: NewRelease,
): Promise<Manifest> {
  const manifest = verifiedManifest(release, roots, system.now())
  const { version, min_server, files } = manifest
  if (isNewer(min_server, serverVersion()))
    throw invalid('min_server', `this server is ${serverVersion()}, the release wants ${min_server}`)
  return atomically(system, async (inner) => {
    if (!(await store.add(inner, version, release))) throw conflict(`release ${version} is here already`)
    for (const [platform, { sha256, size }] of Object.entries(files)) {
      const content = archive(platform)
      if (content.length !== size || createHash('sha256').update(content).digest('hex') !== sha256)
        throw invalid(`files.${platform}`, 'the archive does not have the size and hash of the manifest')
      for (let n = 0; n * PART_BYTES < size; n += 1)
        await store.addPart(
          inner,
          { version, platform, n },
          content.subarray(n * PART_BYTES, (n + 1) * PART_BYTES),
        )
    }
    return manifest
  })
}

export const listReleases = (system: Ctx): Promise<store.Release[]> => store.releases(system)

/** Tells so many of a hundred agents of the version from now on, and of no other. 0 ends it. */
export function setRollout(system: Ctx, version: string, rollout: store.Rollout): Promise<store.Release> {
  return atomically(system, async (inner) => {
    const release = await store.setRollout(inner, version, rollout)
    if (!release) throw notFound('release')
    return release
  })
}

/** What an agent that can update itself says of itself. */
export interface UpdatableAgent {
  readonly key: AgentKey
  readonly version: string
  /** Such as `linux-x64`. */
  readonly platform: string
}

/** `system` counts outside of the report's transaction: many agents share the row of a release. */
interface Contexts {
  readonly system: Ctx
  readonly ctx: Ctx
}

/** An agent went back from a version. It says so once, with whatever report is taken next. */
export async function noteUpdateTakenBack(
  { system, ctx }: Contexts,
  agentId: string,
  version: string,
): Promise<void> {
  if (!(await store.noteTakenBack(ctx, agentId, version))) return
  const isStopped = await store.countTakenBack(system, version, TAKEN_BACK_PERCENT_MAX)
  if (isStopped) system.log.warn({ version }, 'agents go back from this release: it is stopped')
}

/** The release that an agent is to be told of; undefined when there is none for it. */
export async function offeredRelease(
  { system, ctx }: Contexts,
  { key, version, platform }: UpdatableAgent,
): Promise<SignedRelease | undefined> {
  const { release } = key
  if (!release || !isNewer(release.version, version) || !isInRing(key, release.rollout)) return undefined
  const before = await store.updateOf(ctx, key.agentId)
  if (before?.version === release.version && before.isTakenBack) return undefined
  const signed = await store.signedRelease(system, release.version)
  const manifest = signed && (JSON.parse(Buffer.from(signed.manifest, 'base64').toString('utf8')) as Manifest)
  if (!manifest || Date.parse(manifest.not_before) > system.now().getTime()) return undefined
  if (!(platform in manifest.files) && !('any' in manifest.files)) return undefined
  if (await store.noteOffered(ctx, key.agentId, release.version))
    await store.countOffered(system, release.version)
  return signed
}

/** By the beginning of the key's hash, so that the agents of a smaller ring are in each larger one. */
const isInRing = ({ keyId }: AgentKey, rollout: number): boolean =>
  keyId.readUInt16BE(0) * 100 < rollout * RINGS

export interface ReleaseArchive {
  readonly size: number
  readonly content: AsyncGenerator<Buffer>
}

/** 404 for a version that agents are not told of, or has no archive of the platform. */
export async function releaseArchive(
  system: Ctx,
  version: string,
  platform: string,
): Promise<ReleaseArchive> {
  const signed = await store.signedRelease(system, version)
  const manifest = signed && (JSON.parse(Buffer.from(signed.manifest, 'base64').toString('utf8')) as Manifest)
  const file = manifest && Object.hasOwn(manifest.files, platform) ? manifest.files[platform] : undefined
  if (!file) throw notFound('update')
  return { size: file.size, content: partsOf(system, version, platform) }
}

async function* partsOf(system: Ctx, version: string, platform: string): AsyncGenerator<Buffer> {
  for (let n = 0; ; n += 1) {
    const part = await store.part(system, { version, platform, n })
    if (!part) return
    yield part
  }
}
