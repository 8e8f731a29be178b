import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { crashRuns, type CrashReport } from './crash-runs.ts'
import { openFlowInstallation } from './flow-installation.ts'
import { measureFlows, type FlowSpeed } from './flow-speed.ts'

const DEFAULTS = { runs: 3_000, kills: 25, events: 10_000, samples: 100 } as const
const MOST = 1_000_000
const FIRST_STEP_MS_MAX = 2_000
const DRAIN_SECONDS_MAX = 60
const DELIVERY_MS_MAX = 250

/** Runs of flows while workers and the database crash, then how fast flows begin and drain. */
export async function benchFlows({ options }: CommandInput): Promise<CommandResult> {
  const size = (name: keyof typeof DEFAULTS): number => {
    const given = options[name] === undefined ? DEFAULTS[name] : Number(options[name])
    if (!Number.isInteger(given) || given < 1 || given > MOST)
      throw invalid(name, `must be a whole number from 1 to ${MOST}`)
    return given
  }
  const sizes = { runs: size('runs'), kills: size('kills'), events: size('events'), samples: size('samples') }
  const place = await openFlowInstallation()
  try {
    const crashes = await crashRuns(place, sizes)
    process.stderr.write(`${crashText(crashes)}\n\n`)
    const speed = await measureFlows(place, sizes).catch((error: unknown) => String(error))
    const shortfalls = [...crashShortfalls(crashes), ...speedShortfalls(speed)]
    const end = shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.'
    return {
      json: { crashes, speed, shortfalls },
      text: [crashText(crashes), '', speedText(speed), '', end, `Log of the nodes: ${place.logFile}`].join(
        '\n',
      ),
      ...(shortfalls.length > 0 && { isBad: true }),
    }
  } finally {
    await place.close()
  }
}

function crashShortfalls(crashes: CrashReport): string[] {
  const none = ['innerLost', 'innerDoubled', 'httpLost', 'httpStrange', 'stuck', 'failed'] as const
  return none.flatMap((name) => (crashes[name] > 0 ? [`${name} ${crashes[name]}`] : []))
}

function speedShortfalls(speed: FlowSpeed | string): string[] {
  if (typeof speed === 'string') return ['the second part did not end']
  return [
    ...(speed.firstStepP95Ms > FIRST_STEP_MS_MAX
      ? [`first step p95 ${Math.round(speed.firstStepP95Ms)} ms`]
      : []),
    ...(speed.deliveryP99Ms > DELIVERY_MS_MAX
      ? [`deliveries meanwhile p99 ${Math.round(speed.deliveryP99Ms)} ms`]
      : []),
    ...(speed.drainSeconds > DRAIN_SECONDS_MAX ? [`drained in ${Math.round(speed.drainSeconds)} s`] : []),
  ]
}

const crashText = (it: CrashReport): string =>
  [
    `${it.runs} runs, ${it.kills} nodes killed, ${it.killedAtWork} of them at work, the database crashed once, ${it.seconds.toFixed(0)} s:`,
    `  effects inside    ${it.innerExpected} expected, ${it.innerLost} lost, ${it.innerDoubled} doubled`,
    `  HTTP requests     ${it.httpExpected} expected, ${it.httpLost} lost, ${it.httpDoubled} sent again with the same key, ${it.httpStrange} with another`,
    `  runs              ${it.stuck} stuck for 60 s, ${it.failed} failed`,
    ...(it.stuckState === '' ? [] : [`  ${it.stuckState}`]),
  ].join('\n')

const speedText = (it: FlowSpeed | string): string =>
  typeof it === 'string'
    ? `The second part did not end: ${it}`
    : [
        ...(it.leftJobs > 0 ? [`${it.leftJobs} jobs of the first part were left.`] : []),
        `Event to first step, idle, ${it.samples} times: p50 ${Math.round(it.firstStepP50Ms)} ms, p95 ${Math.round(it.firstStepP95Ms)} ms`,
        `${it.events} matching events drained in ${it.drainSeconds.toFixed(1)} s; meanwhile ${it.deliveries} webhook deliveries: p50 ${Math.round(it.deliveryP50Ms)} ms, p99 ${Math.round(it.deliveryP99Ms)} ms`,
      ].join('\n')
