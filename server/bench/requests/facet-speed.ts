import pg from 'pg'
import { facets, type FacetQuestion } from '#features/conditions/conditions.ts'
import { judge, percentile, type Measured } from '../ratio.ts'
import { recordedIn } from './recorded-statements.ts'
import { keepChanging, type Bench } from './request-speed.ts'

/** Facets as the app asks for them beside a list, without what people would narrow it by, and with it. */
const questions: readonly FacetQuestion[] = [
  { where: '', fields: ['os_family', 'type', 'tag'] },
  { where: 'os:windows', fields: ['vendor', 'model', 'state'] },
  { where: 'tag = prod and seen < -30d', fields: ['os', 'source', 'criticality'] },
].map((it) => ({ subject: 'asset', first: 20, ...it }))

const AT_ONCE = 8
const RATIO_GOAL = 0.6
const P95_GOAL_MS = 300
const ROUNDS = 5

/** The verb itself, for facets are asked for by GraphQL, beside its statements through the driver. */
export const measureFacets = (bench: Bench): Promise<readonly Measured[]> =>
  measured(bench, { name: 'facets', title: 'Facets of three fields' })

export async function measureChangingFacets(bench: Bench): Promise<readonly Measured[]> {
  const stopChanging = keepChanging(bench)
  try {
    return await measured(bench, {
      name: 'facets-changing',
      title: 'The same while the tenant changes',
    })
  } finally {
    stopChanging()
  }
}

async function measured(
  { scratch, tenantId, seconds }: Bench,
  called: Pick<Measured, 'name' | 'title'>,
): Promise<readonly Measured[]> {
  const ctx = scratch.runtime.contextFor(tenantId)
  const statements: pg.QueryConfig[] = []
  for (const question of questions) {
    statements.push(...(await recordedIn(ctx, (inner) => facets(inner, question))))
  }
  const pool = new pg.Pool({ ...scratch.superuser, max: AT_ONCE })
  const ours: number[] = []
  const limit: number[] = []
  const share = (seconds * 1_000) / ROUNDS
  try {
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(...(await timesOf(share, questions, (question) => facets(ctx, question))))
      limit.push(...(await timesOf(share, statements, (statement) => pool.query(statement))))
    }
  } finally {
    await pool.end()
  }
  const [perSecond, limitPerSecond] = [ours, limit].map(
    (times) => (times.length * 1_000) / (share * ROUNDS),
  ) as [number, number]
  return [
    judge({
      ...called,
      perSecond,
      limitPerSecond,
      ratio: perSecond / limitPerSecond,
      goals: { ratio: RATIO_GOAL, p95Ms: P95_GOAL_MS },
      p50Ms: percentile(ours, 0.5),
      p95Ms: percentile(ours, 0.95),
      faults: [],
    }),
  ]
}

/** How long each took, in milliseconds: all in turn, so many at once, until the time is up. */
async function timesOf<T>(
  forMs: number,
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const endsAt = performance.now() + forMs
  let next = 0
  const go = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const begunAt = performance.now()
      await work(all[next++ % all.length] as T)
      times.push(performance.now() - begunAt)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, go))
  return times
}
