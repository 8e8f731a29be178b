import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { openScratch, type Preparation } from '../scratch-installation.ts'
import { TENANT_SLUG } from '../seed/seed.ts'
import { measureBatches, type BatchSpeed } from './batch-speed.ts'
import { readFeedsNow, withFacts } from './compliance-estate.ts'
import { databaseClock } from './database-cost.ts'
import type { Cost } from './cost.ts'
import { judgeFirst, measureRounds, type BareSpeed, type RoundSpeed } from './round-speed.ts'
import { measureDelays } from './status-delay.ts'

const ASSETS_DEFAULT = 1_000_000
const ASSETS_MIN = 20_000
const ASSETS_MAX = 10_000_000
const FINDINGS_EACH = 5

/** For a million assets; those of whole rounds grow and shrink with their number. */
const GOALS = { simpleSeconds: 2, roundSeconds: 60, batchMs: 50, delayMs: 5_000 } as const
const MILLION = 1_000_000

/** Rounds of all shipped checks over an estate, batches of assets that changed, and how soon a status follows. */
export async function benchCompliance({ options }: CommandInput): Promise<CommandResult> {
  const assets = options['assets'] === undefined ? ASSETS_DEFAULT : Number(options['assets'])
  if (!Number.isInteger(assets) || assets < ASSETS_MIN || assets > ASSETS_MAX)
    throw invalid('assets', `must be a whole number from ${ASSETS_MIN} to ${ASSETS_MAX}`)
  const keepIn = typeof options['keep'] === 'string' ? options['keep'] : undefined
  const isBrief = options['brief'] === true
  const prepare = isBrief ? judged() : withFacts(say)
  const scratch = await openScratch({ size: assets, findingsEach: FINDINGS_EACH, keepIn, prepare, say })
  try {
    const { id: tenantId } = await getTenantBySlug(scratch.runtime.system, TENANT_SLUG)
    const ctx = scratch.runtime.contextFor(tenantId)
    await readFeedsNow(scratch.superuser)
    const clock = await databaseClock(scratch.superuser)
    const rounds = await measureRounds(ctx, scratch, { clock, say, isBrief })
    say(roundLines(assets, rounds).join('\n'))
    say('batches of 500')
    const batches = await measureBatches(ctx, scratch, clock)
    say(batchLines(batches).join('\n'))
    if (!isBrief) say('from a commit to the status')
    const delays = isBrief ? [] : await measureDelays(ctx, scratch)
    const shortfalls = shortfallsOf(assets, { rounds, batches, delays })
    return {
      json: { assets, rounds, batches, delaysMs: delays, shortfalls },
      text: [
        ...roundLines(assets, rounds),
        ...batchLines(batches),
        ...delayLines(delays),
        shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
      ].join('\n'),
      ...(shortfalls.length > 0 && { isBad: true }),
    }
  } finally {
    await scratch.close()
  }
}

function roundLines(assets: number, it: RoundSpeed): string[] {
  const goal = (seconds: number) => `goal ${((seconds * assets) / MILLION).toFixed(2)}`
  return [
    `${assets} assets, ${it.checks} checks, ${it.inScope} answers, ${it.results} of them not in order; seconds of CPU of the database and of the program, and by the clock:`,
    ...(it.first ? [`  first round, writes all     ${costLine(it.first)}`] : []),
    `  round that finds nothing    ${costLine(it.steady)}  ${goal(GOALS.roundSeconds)} (70 checks)`,
    `  an hour later, a part       ${costLine(it.look)}  ${it.looked}; goal of a large estate ${((GOALS.roundSeconds * assets) / MILLION).toFixed(2)}`,
    ...(it.beside ? bareLines(it.beside, it.steady, goal) : []),
    `  memory of the program       ${it.megabytes} MB at most, ${it.megabytesBefore} MB before`,
  ]
}

const bareLines = (
  { together, bare, simple, slowest }: BareSpeed,
  steady: Cost,
  goal: (seconds: number) => string,
): string[] => [
  `  the statements that judge   ${costLine(together)}  the round takes ${(steady.database / together.database).toFixed(2)} times as much`,
  `  bare SQL, a SELECT each     ${costLine(bare)}  the round takes ${(steady.database / bare.database).toFixed(2)} times as much`,
  `  one simple check, bare      ${costLine(simple)}  ${goal(GOALS.simpleSeconds)}`,
  `  the slowest of them         ${slowest.map(({ id, database }) => `${id} ${database.toFixed(2)}`).join(', ')}`,
]

const delayLines = (delays: readonly number[]): string[] =>
  delays.length === 0
    ? []
    : [
        `From a commit to the status that follows, ${delays.length} times: at most ${Math.round(Math.max(...delays))} ms (goal ${GOALS.delayMs})`,
      ]

/** What is kept for brief runs: the same estate, once every check has judged it. */
function judged(): Preparation {
  const { recipe, run } = withFacts(say)
  return {
    name: 'judged',
    recipe,
    async run(runtime, superuser, tenantId) {
      await run(runtime, superuser, tenantId)
      await readFeedsNow(superuser)
      say('the first round')
      await judgeFirst(runtime.contextFor(tenantId))
    },
  }
}

const costLine = ({ database, program, seconds }: Cost): string =>
  [database, program, seconds].map((it) => it.toFixed(2).padStart(8)).join(' ')

const batchLines = (it: BatchSpeed): string[] => [
  `500 changed assets, ${it.batches} times: p50 ${it.p50Ms.toFixed(0)} ms, p95 ${it.p95Ms.toFixed(0)} ms, ${it.databaseMs.toFixed(0)} ms of CPU of the database and ${it.programMs.toFixed(0)} ms of the program (goal ${GOALS.batchMs}); the statement that judges them alone: p50 ${it.bareP50Ms.toFixed(0)} ms, ${it.bareCpuMs.toFixed(0)} ms of CPU`,
]

function shortfallsOf(
  assets: number,
  {
    rounds,
    batches,
    delays,
  }: { readonly rounds: RoundSpeed; readonly batches: BatchSpeed; readonly delays: readonly number[] },
): string[] {
  const share = assets / MILLION
  const batch = batches.databaseMs + batches.programMs
  const simple = rounds.beside?.simple.database ?? 0
  const total = rounds.steady.database + rounds.steady.program
  return [
    ...(total > GOALS.roundSeconds * share ? [`a round takes ${total.toFixed(1)} s of CPU`] : []),
    ...(simple > GOALS.simpleSeconds * share ? [`a simple check takes ${simple.toFixed(2)} s of CPU`] : []),
    ...(batch > GOALS.batchMs ? [`a batch takes ${batch.toFixed(0)} ms of CPU`] : []),
    ...(Math.max(...delays) > GOALS.delayMs
      ? [`a status follows after ${Math.round(Math.max(...delays))} ms`]
      : []),
  ]
}

/** Progress, apart from the answer. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
