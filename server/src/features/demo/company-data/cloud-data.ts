import { createHash } from 'node:crypto'
import type { Json } from '#features/assets/observation.ts'
import {
  recordSampleCosts,
  recordSampleResources,
  sampleConnection,
  type CloudConnection,
  type CloudProvider,
  type ResourceType,
} from '#features/cloud/cloud.ts'
import type { Ctx } from '#platform/context.ts'
import type { SourcedObservation } from '../generators/generator.ts'
import { sources, type SourceName } from '../sources.ts'

const providers: Readonly<Partial<Record<SourceName, CloudProvider>>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'GCP',
}

export interface DemoCloud {
  readonly connection: CloudConnection
  /** By which the observations of its resources are submitted. */
  readonly source: { readonly kind: string; readonly name: string; readonly key: string }
}

/** A connection of each provider, named as one for demonstration, by the source that reports its resources. */
export async function createDemoClouds(ctx: Ctx): Promise<ReadonlyMap<SourceName, DemoCloud>> {
  const made = new Map<SourceName, DemoCloud>()
  for (const by of ['aws', 'azure', 'gcp'] as const) {
    const provider = providers[by]
    if (provider) made.set(by, await sampleConnection(ctx, provider, `${sources[by].name} (demo)`))
  }
  return made
}

/** Lists what the observations of a cloud are of. */
export async function listDemoResources(
  ctx: Ctx,
  { connection }: DemoCloud,
  batch: readonly SourcedObservation[],
): Promise<void> {
  await recordSampleResources(
    ctx,
    connection,
    batch.map(({ observation: { sourceKey, name = '', tags = [], facts = {} } }) => ({
      account: text(facts['account']),
      region: text(facts['region']),
      type: text(facts['type']) as ResourceType,
      nativeId: sourceKey,
      name,
      status: text(facts['status']),
      tags,
    })),
  )
}

/** Of all sizes, in cents, told apart by the ids of resources. */
const CENTS_MAX = 40_000
/** What an account costs besides: disks, traffic, support. */
const REST_PERCENT = 12
const MONTHS = 3

/** What they cost in whole months and in this one so far. */
export async function listDemoCosts(
  ctx: Ctx,
  { connection }: DemoCloud,
  batch: readonly SourcedObservation[],
): Promise<void> {
  const now = ctx.now()
  const lines = Array.from({ length: MONTHS + 1 }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    const share = back === 0 ? now.getUTCDate() / 31 : 1
    return batch.flatMap(({ observation: { sourceKey, facts = {} } }) => {
      const cents = Math.round((hashOf(sourceKey) % CENTS_MAX) * share)
      const line = {
        account: text(facts['account']),
        day: first.toISOString().slice(0, 10),
        currency: connection.provider === 'AWS' ? 'USD' : 'EUR',
      }
      return [
        { ...line, resource: sourceKey, amount: (cents / 100).toFixed(2) },
        { ...line, resource: '', amount: ((cents * REST_PERCENT) / 10_000).toFixed(2) },
      ]
    })
  }).flat()
  await recordSampleCosts(ctx, connection, lines)
}

const hashOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE()

const text = (fact: Json | undefined): string => (typeof fact === 'string' ? fact : '')
