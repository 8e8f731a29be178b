import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { SignedRelease } from './signed-release.ts'

export type Rollout = 0 | 1 | 10 | 100

/** A version that agents may be updated to. */
export interface Release {
  readonly version: string
  readonly rollout: Rollout
  /** Agents that were told of it, without those that had gone back when it was resumed. */
  readonly offered: number
  /** Of these, those that went back to the version before. */
  readonly takenBack: number
  /** When it was stopped, because too many went back. */
  readonly stoppedAt: string | null
  readonly addedAt: string
}

const columns = sql`version, rollout, offered, taken_back as "takenBack", stopped_at as "stoppedAt", added_at as "addedAt"`

/** False when the version is there already. */
export async function add(system: Ctx, version: string, release: SignedRelease): Promise<boolean> {
  const added = await system.db.run(sql`
    insert into agent_releases (version, release, added_at)
    values (${version}, ${JSON.stringify(release)}::jsonb, ${system.now()}) on conflict do nothing`)
  return added === 1
}

export interface Part {
  readonly version: string
  readonly platform: string
  readonly n: number
}

export async function addPart(system: Ctx, { version, platform, n }: Part, content: Buffer): Promise<void> {
  await system.db.run(sql`
    insert into agent_release_parts (version, platform, n, content)
    values (${version}, ${platform}, ${n}, ${content})`)
}

/** Undefined behind the last part. */
export async function part(system: Ctx, { version, platform, n }: Part): Promise<Buffer | undefined> {
  const found = await system.db.maybe(sql<{ content: Buffer }>`
    select content from agent_release_parts where version = ${version} and platform = ${platform} and n = ${n}`)
  return found?.content
}

/** Newest first. */
export const releases = (system: Ctx): Promise<Release[]> =>
  system.db.all(sql<Release>`select ${columns} from agent_releases order by added_at desc, version desc`)

/** As it was signed, of a version that agents are told of now. */
export async function signedRelease(system: Ctx, version: string): Promise<SignedRelease | undefined> {
  const found = await system.db.maybe(sql<{ release: SignedRelease }>`
    select release from agent_releases where version = ${version} and rollout > 0`)
  return found?.release
}

/**
 * No other version is told of meanwhile. Of a release that was stopped, the agents that went back are left out of both counts
 * from now on: those that were told before and have it still go on to be counted.
 */
export async function setRollout(
  system: Ctx,
  version: string,
  rollout: Rollout,
): Promise<Release | undefined> {
  if (rollout > 0)
    await system.db.run(sql`
      update agent_releases set rollout = 0 where rollout > 0 and version <> ${version}`)
  return system.db.maybe(sql<Release>`
    update agent_releases set rollout = ${rollout}, stopped_at = null,
      offered = case when stopped_at is null then offered else greatest(offered - taken_back, 0) end,
      taken_back = case when stopped_at is null then taken_back else 0 end
    where version = ${version} returning ${columns}`)
}

export async function countOffered(system: Ctx, version: string): Promise<void> {
  await system.db.run(sql`update agent_releases set offered = offered + 1 where version = ${version}`)
}

/** Stops the release when more than `percentMax` of the agents that were told of it went back. Answers whether it did. */
export async function countTakenBack(system: Ctx, version: string, percentMax: number): Promise<boolean> {
  const counted = await system.db.maybe(sql<{ isStopped: boolean }>`
    update agent_releases set taken_back = taken_back + 1,
      rollout = case when (taken_back + 1) * 100 > offered * ${percentMax}::int then 0 else rollout end,
      stopped_at = case when (taken_back + 1) * 100 > offered * ${percentMax}::int
        then coalesce(stopped_at, ${system.now()}) else stopped_at end
    where version = ${version} returning stopped_at is not null as "isStopped"`)
  return counted?.isStopped === true
}

/** What one agent was told of last, and what came of it. */
export interface AgentUpdate {
  readonly version: string | null
  readonly isTakenBack: boolean
}

export const updateOf = (ctx: Ctx, agentId: string): Promise<AgentUpdate | undefined> =>
  ctx.db.maybe(sql<AgentUpdate>`
    select update_version as version, is_update_taken_back as "isTakenBack" from agents
    where tenant_id = ${ctx.tenantId} and id = ${agentId}`)

/** False when the agent was told of this version before. */
export async function noteOffered(ctx: Ctx, agentId: string, version: string): Promise<boolean> {
  const noted = await ctx.db.run(sql`
    update agents set update_version = ${version}, is_update_taken_back = false
    where tenant_id = ${ctx.tenantId} and id = ${agentId} and update_version is distinct from ${version}`)
  return noted === 1
}

/** False when it is known already, or the agent was never told of this version. */
export async function noteTakenBack(ctx: Ctx, agentId: string, version: string): Promise<boolean> {
  const noted = await ctx.db.run(sql`
    update agents set is_update_taken_back = true
    where tenant_id = ${ctx.tenantId} and id = ${agentId} and update_version = ${version} and not is_update_taken_back`)
  return noted === 1
}
