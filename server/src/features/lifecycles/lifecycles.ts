/** Lifecycles: the operating systems and software of the tenant that are at or near their end of life. */
import { listLifecycles } from '#features/advisories/advisories.ts'
import {
  countAssets,
  decideEnds as decide,
  endOfLife,
  endOfSystem,
  lifecyclesOf,
  softwareAfter,
  systemKey,
  systemsInUse,
  type EndOfLife,
} from '#features/software/software.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'

/** An operating system or software with its end of life. */
export interface EndOfLifeItem extends EndOfLife {
  readonly id: string
  readonly kind: 'system' | 'software'
  /** Name as reported by the source. */
  readonly name: string
  readonly version: string
  readonly assets: number
}

const WITHIN_DAYS_MAX = 3_650
const DAY_MS = 86_400_000
/** Distinct software read in one query. */
const BATCH = 5_000

/**
 * Entries past their end of life or within `withinDays` (0 to 3,650) of it, earliest end first; refuses other values.
 */
export async function listEndOfLife(
  ctx: Ctx,
  page: Page,
  withinDays: number,
): Promise<Listed<EndOfLifeItem>> {
  permit(ctx, 'assets:read')
  if (!Number.isInteger(withinDays) || withinDays < 0 || withinDays > WITHIN_DAYS_MAX)
    throw invalid('withinDays', `must be 0 to ${WITHIN_DAYS_MAX}`)
  const today = dayOf(ctx.now())
  const last = dayOf(new Date(ctx.now().getTime() + withinDays * DAY_MS))
  const isWanted = ({ isEnded, endsOn }: EndOfLife): boolean =>
    isEnded || (endsOn !== undefined && endsOn <= last)
  const found = (await allEndOfLife(ctx, today)).filter(isWanted).sort(byEnd)
  const items = found.slice(page.offset, page.offset + page.limit)
  return { items, total: found.length }
}

/**
 * Writes when support ends for what is installed, so that conditions can ask it. `new`: for those alone that were
 * reported since the last time.
 */
export async function decideEnds(ctx: Ctx, which: 'all' | 'new'): Promise<void> {
  await decide(ctx, lifecyclesOf(await listLifecycles(ctx)), which)
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** `softwareId` is set where assets still have to be counted. */
type Found = EndOfLifeItem & { readonly softwareId?: number }

async function allEndOfLife(ctx: Ctx, today: string): Promise<Found[]> {
  const lifecycles = lifecyclesOf(await listLifecycles(ctx))
  const systems = (await systemsInUse(ctx)).flatMap((system): Found[] => {
    const end = endOfSystem(lifecycles, system, today)
    const { id, versionId: version, prettyName, assets } = system
    const name = prettyName || id
    return end ? [{ ...end, id: systemKey(system), kind: 'system', name, version, assets }] : []
  })
  const installed: Found[] = []
  for (let last = 0; ;) {
    const batch = await softwareAfter(ctx, last, BATCH)
    for (const software of batch) {
      const end = endOfLife(lifecycles, software, today)
      const { id, name, version } = software
      if (end)
        installed.push({ ...end, id: String(id), kind: 'software', name, version, assets: 0, softwareId: id })
    }
    last = batch.at(-1)?.id ?? last
    if (batch.length < BATCH) return [...systems, ...(await stillInstalled(ctx, installed))]
  }
}

/** Removes software that no asset has any more: rows of `software` outlive their last installation. */
async function stillInstalled(ctx: Ctx, found: readonly Found[]): Promise<Found[]> {
  const counts = await countAssets(
    ctx,
    found.flatMap(({ softwareId = [] }) => softwareId),
  )
  return found.flatMap((each) => {
    const assets = counts.get(each.softwareId ?? 0) ?? 0
    return assets > 0 ? [{ ...each, assets }] : []
  })
}

function byEnd(a: Found, b: Found): number {
  const [one, other] = [a, b].map(({ endsOn = '', name, version }) => `${endsOn} ${name} ${version}`)
  return (one ?? '') < (other ?? '') ? -1 : 1
}
