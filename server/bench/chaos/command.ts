import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { percentile } from '../ratio.ts'
import { runChaos, type ChaosReport } from './chaos.ts'
import type { FaultName } from './all-faults.ts'
import { processFaults } from './faults.ts'

const DELIVERIES_DEFAULT = 200_000
const DELIVERIES_MAX = 10_000_000
const DUPLICATES_SHARE_MAX = 0.005
const FAULTS_MAX = 10_000
/** For nine of ten: a kill right after a crash of the database waits until everybody had the time to be back. */
const TAKEOVER_MS_MAX = 1_000
const TAKEOVER_SHARE = 0.9
/** Beyond the silence after which the neighbours of a worker give it up. */
const FROZEN_SECONDS = 20
const PLAN: readonly FaultName[] = [
  ...repeated('kill -9', 6),
  'database stop',
  'SIGSTOP',
  'SIGTERM',
  ...repeated('kill -9', 6),
  'database stop',
  'SIGTERM',
  ...repeated('kill -9', 12),
  'database cut',
  'receiver cut',
  'database slow',
  'receiver slow',
  'database reset',
  'receiver reset',
  'database half-open',
  'receiver half-open',
  'database unheard',
  'clock +1 h',
  'clock -1 h',
  'disk full',
]
const BROKEN_SECONDS = 5
const DISK_MEGABYTES = 3_072

export async function chaos({ options }: CommandInput): Promise<CommandResult> {
  const deliveries = options['deliveries'] === undefined ? DELIVERIES_DEFAULT : Number(options['deliveries'])
  if (!Number.isInteger(deliveries) || deliveries < 1 || deliveries > DELIVERIES_MAX)
    throw invalid('deliveries', `must be a whole number from 1 to ${DELIVERIES_MAX}`)
  const given = givenPlan(options)
  const plan = given ?? PLAN
  const report = await runChaos({
    deliveries,
    workers: 3,
    plan,
    isSpread: given !== undefined,
    again: given ? [] : AGAIN,
    frozenSeconds: secondsOf(options['frozen']),
    brokenSeconds: BROKEN_SECONDS,
    diskMegabytes: DISK_MEGABYTES,
    waitSeconds: 1,
    limitSeconds: 60 * minutesOf(options['minutes']),
    tell: (line) => void process.stderr.write(`${line}\n`),
  })
  const isReached = report.deliveries >= deliveries && report.struck >= plan.length
  const reached = `${report.deliveries} of ${deliveries} deliveries and ${report.struck} of ${plan.length} misfortunes`
  const shortfalls = [
    ...(isReached ? [] : [`the plan was not reached in the time given (${reached})`]),
    ...shortfallsOf(report),
  ]
  return {
    json: { ...report, isReached, shortfalls },
    text: textOf(report, [`${isReached ? 'Reached' : 'Not reached'}: ${reached}.`, ...verdict(shortfalls)]),
    ...(shortfalls.length > 0 && { isBad: true }),
  }
}

/** What breaks for seconds happens as often as planned: work has to end some time. */
const AGAIN = PLAN.filter((name) => name in processFaults)

/** So many kills and crashes of the database and nothing else, evenly mixed; undefined: the usual plan. */
function givenPlan(options: CommandInput['options']): FaultName[] | undefined {
  const count = (name: 'kills' | 'crashes'): number => {
    const number = Number(options[name] ?? 0)
    if (!Number.isInteger(number) || number < 0 || number > FAULTS_MAX)
      throw invalid(name, `must be a whole number from 0 to ${FAULTS_MAX}`)
    return number
  }
  if (options['kills'] === undefined && options['crashes'] === undefined) return undefined
  const [kills, crashes] = [count('kills'), count('crashes')]
  const at = (name: FaultName, times: number) =>
    Array.from({ length: times }, (_, n) => ({ name, at: (n + 1) / (times + 1) }))
  return [...at('kill -9', kills), ...at('database stop', crashes)]
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

const MINUTES_DEFAULT = 60
const MINUTES_MAX = 1_440

function minutesOf(given: string | true | undefined): number {
  const minutes = given === undefined ? MINUTES_DEFAULT : Number(given)
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MINUTES_MAX)
    throw invalid('minutes', `must be a whole number from 1 to ${MINUTES_MAX}`)
  return minutes
}

const FROZEN_SECONDS_MAX = 3_600

function secondsOf(given: string | true | undefined): number {
  const seconds = given === undefined ? FROZEN_SECONDS : Number(given)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > FROZEN_SECONDS_MAX)
    throw invalid('frozen', `must be a whole number from 1 to ${FROZEN_SECONDS_MAX}`)
  return seconds
}

function shortfallsOf({ lost, overTen, duplicates, deliveries, recoveryMs }: ChaosReport): string[] {
  const takeover = percentile(recoveryMs['kill -9'], TAKEOVER_SHARE)
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(overTen > 0 ? [`${overTen} with more than ten attempts`] : []),
    ...(duplicates >= deliveries * DUPLICATES_SHARE_MAX ? [`${duplicates} duplicates`] : []),
    ...(takeover >= TAKEOVER_MS_MAX ? [`takeovers took up to ${Math.round(takeover)} ms`] : []),
  ]
}

const verdict = (shortfalls: readonly string[]): string[] => [
  shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
]

function textOf(report: ChaosReport, lines: readonly string[]): string {
  const share = ((100 * report.duplicates) / report.deliveries).toFixed(2)
  return [
    `${report.deliveries} deliveries in ${report.seconds.toFixed(0)} s: ${report.lost} lost, ${report.overTen} with more than ten attempts,`,
    `${report.duplicates} duplicates (${share} %), ${report.deadLetters} dead letters after ten failures, ${report.interrupted} attempts interrupted.`,
    '',
    ...Object.entries(report.recoveryMs).map(([name, times]) => lineOf(name, times)),
    '',
    ...lines,
  ].join('\n')
}

function lineOf(name: string, times: readonly number[]): string {
  if (times.length === 0) return `${name.padEnd(18)} never`
  const [p50, p99, max] = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map((ms) =>
    Math.round(ms),
  )
  return `${name.padEnd(18)} ${String(times.length).padStart(4)} times, work lay for p50 ${p50} ms, p99 ${p99} ms, at most ${max} ms`
}

function repeated(name: FaultName, times: number): FaultName[] {
  return Array.from({ length: times }, () => name)
}
