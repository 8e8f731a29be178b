import pg from 'pg'
import { adoptFramework, allChecks, evaluateNow } from '#features/compliance/compliance.ts'
import type { Ctx } from '#platform/context.ts'
import { compileCheck } from '../../src/features/compliance/evaluation/check-sql-store.ts'
import { evaluateInTurn } from '../../src/features/compliance/evaluation/look-at-part.ts'
import { countAll } from '../../src/features/compliance/evaluation/result-store.ts'
import { JUDGES } from './batch-speed.ts'
import { recordedIn } from '../requests/recorded-statements.ts'
import type { Scratch } from '../scratch-installation.ts'
import { measuring } from '../reports/process-cost.ts'
import { costOf, type Cost } from './cost.ts'
import type { DatabaseClock } from './database-cost.ts'

export interface RoundSpeed {
  readonly checks: number
  /** Rows of what is not in order. */
  readonly results: number
  readonly inScope: number
  /** Undefined: it was judged before it was kept. */
  readonly first: Cost | undefined
  /** A round over all assets that finds nothing new. */
  readonly steady: Cost
  /** What an hour asks for where the estate counts as large, an hour after that round, and whether a part was judged. */
  readonly look: Cost
  readonly looked: string
  /** Undefined: left out. */
  readonly beside: BareSpeed | undefined
  /** Of the process that evaluates: megabytes of physical memory at most, and before. */
  readonly megabytes: number
  readonly megabytesBefore: number
}

/** The SQL that a round cannot do without, through the driver. */
export interface BareSpeed {
  /** The statements of a round that judge. */
  readonly together: Cost
  /** The conditions of all checks, each counted in one SELECT. */
  readonly bare: Cost
  /** The checks whose SELECTs take the most CPU of the database, in seconds. */
  readonly slowest: readonly { readonly id: string; readonly database: number }[]
  /** Of these the one of `no-telnet`. */
  readonly simple: Cost
}

const SIMPLE = 'no-telnet'
const SLOWEST = 10
/** Every shipped check counts for it. */
const FRAMEWORK = 'nist-csf-2.0'

/** Every check has judged the estate once, as at the beginning of an adoption. */
export async function judgeFirst(ctx: Ctx): Promise<void> {
  await adoptFramework(ctx, FRAMEWORK)
  await evaluateNow(ctx)
}

interface Measuring {
  readonly clock: DatabaseClock
  readonly say: (text: string) => void
  /** It was judged before: only rounds that find nothing are measured. */
  readonly isBrief: boolean
}

/** Judges all checks over all assets, and what of that an hour asks for, beside the SELECTs that a round cannot do without. */
export async function measureRounds(
  ctx: Ctx,
  { superuser }: Scratch,
  { clock, say, isBrief }: Measuring,
): Promise<RoundSpeed> {
  const memory = measuring()
  if (!isBrief) say('the first round')
  const first = isBrief ? undefined : await costOf(clock, () => judgeFirst(ctx))
  say('a round that finds nothing new')
  const steady = await costOf(clock, () => evaluateNow(ctx))
  say('an hour later')
  const { look, looked } = await measureLook(ctx, superuser, clock)
  const { before: megabytesBefore, peak: megabytes } = memory.end()
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    if (!isBrief) say('the same as bare SQL')
    const beside = isBrief ? undefined : await measureBare(ctx, client, clock)
    const { rows } = await client.query<{ results: string; in_scope: string }>(
      `select (select count(*) from compliance_results where tenant_id = $1) as results,
         (select coalesce(sum(s.assets), 0) from compliance_check_states c
          join compliance_scopes s on s.tenant_id = $1 and s.number = c.scope_number where c.tenant_id = $1) as in_scope`,
      [ctx.tenantId],
    )
    const [results, inScope] = [Number(rows[0]?.results), Number(rows[0]?.in_scope)]
    const checks = (await allChecks(ctx)).length
    return { checks, results, inScope, first, steady, look, looked, beside, megabytes, megabytesBefore }
  } finally {
    await client.end()
  }
}

async function measureBare(ctx: Ctx, client: pg.Client, clock: DatabaseClock): Promise<BareSpeed> {
  const judging = (await recordedIn(ctx, evaluateNow)).filter(({ text }) => text.includes(JUDGES))
  const statements = await selectsOf(ctx)
  const together = await costOf(clock, async () => {
    for (const statement of judging) await client.query(statement)
  })
  const slowest: { id: string; database: number }[] = []
  const bare = await costOf(clock, async () => {
    for (const { id, statement } of statements) {
      const { database } = await costOf(clock, () => client.query(statement))
      slowest.push({ id, database })
    }
  })
  slowest.sort((a, b) => b.database - a.database).splice(SLOWEST)
  const one = statements.filter(({ id }) => id === SIMPLE)
  const simple = await costOf(clock, async () => {
    for (const { statement } of one) await client.query(statement)
  })
  return { together, bare, slowest, simple }
}

const HOUR_MS = 3_600_000

async function measureLook(ctx: Ctx, superuser: pg.ClientConfig, clock: DatabaseClock) {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    // the round that was asked for by adopting is done
    await client.query(`delete from jobs where tenant_id = $1 and name = 'compliance.evaluate'`, [
      ctx.tenantId,
    ])
  } finally {
    await client.end()
  }
  const later = { ...ctx, now: () => new Date(Date.now() + HOUR_MS) }
  let looked = ''
  const look = await costOf(clock, async () => {
    looked = await evaluateInTurn(later, undefined, { smallEstate: 0 })
  })
  return { look, looked }
}

/** Runs each of them once. */
async function selectsOf(ctx: Ctx): Promise<{ id: string; statement: pg.QueryConfig }[]> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const found: { id: string; statement: pg.QueryConfig }[] = []
  for (const check of await allChecks(ctx)) {
    const compiled = await compileCheck(ctx, check, { subject })
    const [statement] = await recordedIn(ctx, (inner) => countAll(inner, compiled))
    if (statement) found.push({ id: check.id, statement })
  }
  return found
}
