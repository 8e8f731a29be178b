import type { Json } from '#features/assets/observation.ts'
import {
  recordSampleResources,
  sampleConnection,
  type CloudConnection,
  type CloudProvider,
  type ResourceType,
} from '#features/cloud/cloud.ts'
import type { Ctx } from '#platform/context.ts'
import type { SourcedObservation } from './generators/generator.ts'
import { sources, type SourceName } from './sources.ts'

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

const text = (fact: Json | undefined): string => (typeof fact === 'string' ? fact : '')
