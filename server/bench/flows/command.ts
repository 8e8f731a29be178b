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
    const speed = await measureFlows(place, sizes)
    const shortfalls = shortfallsOf(crashes, speed)
    return {
      json: { crashes, speed, shortfalls },
      text: textOf(crashes, speed, shortfalls),
      ...(shortfalls.length > 0 && { isBad: true }),
    }
  } finally {
    await place.close()
  }
}

function shortfallsOf(crashes: CrashReport, speed: FlowSpeed): string[] {
  const none = ['innerLost', 'innerDoubled', 'httpLost', 'httpStrange', 'stuck', 'failed'] as const
  return [
    ...none.flatMap((name) => (crashes[name] > 0 ? [`${name} ${crashes[name]}`] : [])),
    ...(speed.firstStepP95Ms > FIRST_STEP_MS_MAX
      ? [`first step p95 ${Math.round(speed.firstStepP95Ms)} ms`]
      : []),
    ...(speed.deliveryP99Ms > DELIVERY_MS_MAX
      ? [`deliveries meanwhile p99 ${Math.round(speed.deliveryP99Ms)} ms`]
      : []),
    ...(speed.drainSeconds > DRAIN_SECONDS_MAX ? [`drained in ${Math.round(speed.drainSeconds)} s`] : []),
  ]
}

const textOf = (crashes: CrashReport, speed: FlowSpeed, shortfalls: readonly string[]): string =>
  [
    `${crashes.runs} runs, ${crashes.kills} nodes killed, the database crashed once, ${crashes.seconds.toFixed(0)} s:`,
    `  effects inside    ${crashes.innerExpected} expected, ${crashes.innerLost} lost, ${crashes.innerDoubled} doubled`,
    `  HTTP requests     ${crashes.httpExpected} expected, ${crashes.httpLost} lost, ${crashes.httpDoubled} sent again with the same key, ${crashes.httpStrange} with another`,
    `  runs              ${crashes.stuck} stuck after 60 s, ${crashes.failed} failed`,
    '',
    `Event to first step, idle, ${speed.samples} times: p50 ${Math.round(speed.firstStepP50Ms)} ms, p95 ${Math.round(speed.firstStepP95Ms)} ms`,
    `${speed.events} matching events drained in ${speed.drainSeconds.toFixed(1)} s; meanwhile ${speed.deliveries} webhook deliveries: p50 ${Math.round(speed.deliveryP50Ms)} ms, p99 ${Math.round(speed.deliveryP99Ms)} ms`,
    '',
    shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
  ].join('\n')
