import { onOneState, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Report } from '../report.ts'
import { createReport } from '../reports.ts'
import { readChange, type ChangeInput } from './change.ts'
import { assetsWhere, chosenAssets } from './chosen-assets-store.ts'
import { permitSimulation, simulate, type Simulation } from './simulate.ts'

/** As a caller gives it; neither `assetIds` nor `where`: all assets. */
export interface SimulationInput extends ChangeInput {
  readonly assetIds?: readonly string[] | undefined
  /** A condition on assets. */
  readonly where?: string | undefined
}

/** What a change would do, from what is known now; nothing is written. Throws 400, which names the field. */
export async function runSimulation(ctx: Ctx, input: SimulationInput): Promise<Simulation> {
  permit(ctx, 'reports:read')
  const change = readChange(input)
  const assetIds = (await chosen(ctx, input)) ?? (await chosenAssets(ctx, undefined))
  return onOneState(ctx, (inner) => simulate(inner, change, assetIds))
}

/**
 * A report of type `custom` that shows the simulation as it is whenever it is generated. Those that a condition is true
 * of now are chosen for good.
 */
export async function createSimulationReport(
  ctx: Ctx,
  input: SimulationInput,
  { reportName, format }: { readonly reportName: string; readonly format: string },
): Promise<Report> {
  permit(ctx, 'reports:write')
  permitSimulation(ctx)
  const simulation = readChange(input)
  const assetIds = await chosen(ctx, input)
  // an empty list would be a report of all assets
  if (assetIds?.length === 0)
    throw invalid(input.where === undefined ? 'asset_ids' : 'where', 'no asset is chosen')
  return createReport(ctx, { name: reportName, type: 'custom', format, assetIds, simulation })
}

async function chosen(ctx: Ctx, { assetIds = [], where }: SimulationInput): Promise<string[] | undefined> {
  if (where !== undefined && where.trim() !== '') {
    if (assetIds.length > 0) throw invalid('where', 'cannot be given beside a list of assets')
    return assetsWhere(ctx, where)
  }
  if (assetIds.length === 0) return undefined
  const wrong = assetIds.findIndex((id) => !isUuid(id))
  if (wrong >= 0) throw invalid(`asset_ids.${wrong}`, 'must be a UUID')
  return chosenAssets(ctx, assetIds)
}
