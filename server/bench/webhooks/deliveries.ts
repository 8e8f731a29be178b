import { loadavg } from 'node:os'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { deliveryCases } from './delivery-cases.ts'
import type { CaseSize, DeliveryFigures } from './delivery-figures.ts'
import { openScene } from './webhook-installation.ts'

const DEFAULTS = { seconds: 10, drain: 20_000 } as const
const MOST = 10_000_000

/** Each case on an installation of its own, so that none finds what another has left. */
export async function benchDeliveries({ options }: CommandInput): Promise<CommandResult> {
  const number = (name: keyof typeof DEFAULTS): number => {
    const given = options[name] === undefined ? DEFAULTS[name] : Number(options[name])
    if (!Number.isInteger(given) || given < 1 || given > MOST)
      throw invalid(name, `must be a whole number from 1 to ${MOST}`)
    return given
  }
  const size: CaseSize = { seconds: number('seconds'), deliveries: number('drain') }
  const place = options['apart'] === true ? 'apart' : 'together'
  const only = typeof options['only'] === 'string' ? options['only'] : ''
  const measured: Measured[] = []
  for (const { title, measure, startsWorkers } of deliveryCases.filter((it) => it.title.includes(only))) {
    process.stderr.write(`${title}\n`)
    const scene = await openScene(startsWorkers ? 'none' : place)
    try {
      measured.push({ title, ...(await measure(scene, size)), load: loadavg()[0] ?? Number.NaN })
    } finally {
      await scene.close()
    }
  }
  return {
    json: { place, ...size, measured },
    text: [`Worker ${place === 'apart' ? 'as a process of its own' : 'where events are committed'}`, '']
      .concat(measured.map(lineOf))
      .concat(options['statements'] === true ? measured.flatMap(statementLines) : [])
      .join('\n'),
    ...(measured.some((it) => it.missing > 0 || it.duplicates > 0) && { isBad: true }),
  }
}

type Measured = DeliveryFigures & { readonly title: string; readonly load: number }

function lineOf(it: Measured): string {
  const { title, load, perSecond, ms, worker, resumedMs } = it
  const cost = `s of CPU for 10,000: ${it.senderSeconds.toFixed(1)} here + ${it.databaseSeconds.toFixed(1)} PostgreSQL`
  return [
    title.padEnd(52),
    ms === undefined
      ? `${Math.round(perSecond)} a second`
      : `p50 ${ms.p50.toFixed(1)} ms, p99 ${ms.p99.toFixed(1)} ms`,
    cost,
    countsOf(it),
    ...(worker
      ? [
          `first arrival after ${worker.ms.toFixed(0)} ms with ${worker.megabytes} MB, at most ${worker.peakMegabytes} MB`,
        ]
      : []),
    ...(resumedMs ? [`resumed after ${resumedMs.map((ms) => ms.toFixed(0)).join(', ')} ms`] : []),
    ...(it.missing > 0 ? [`${it.missing} missing`] : []),
    ...(it.duplicates > 0 ? [`${it.duplicates} twice`] : []),
    `load ${load.toFixed(0)}`,
  ].join('; ')
}

const countsOf = ({ statements, commits, walBytes }: DeliveryFigures): string =>
  `each ${statements.toFixed(2)} statements, ${commits.toFixed(3)} commits, ${Math.round(walBytes)} bytes of WAL`

/** Of each case what its statements took within PostgreSQL. */
const statementLines = ({ title, slowest }: Measured): string[] => [
  '',
  title,
  ...slowest.map(
    ({ text, calls, ms, rows, walBytes }) =>
      `${ms.toFixed(1).padStart(9)} ms ${String(calls).padStart(7)} calls ${String(rows).padStart(8)} rows ${String(walBytes).padStart(10)} bytes  ${text}`,
  ),
]
