import { loadavg } from 'node:os'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { deliveryCases, type CaseSize, type DeliveryFigures } from './delivery-cases.ts'
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
  for (const { title, measure } of deliveryCases.filter((it) => it.title.includes(only))) {
    process.stderr.write(`${title}\n`)
    const scene = await openScene(place)
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
      .join('\n'),
    ...(measured.some((it) => it.missing > 0 || it.duplicates > 0) && { isBad: true }),
  }
}

type Measured = DeliveryFigures & { readonly title: string; readonly load: number }

function lineOf({ title, load, perSecond, ms, ...it }: Measured): string {
  const cost = `s of CPU for 10,000: ${it.senderSeconds.toFixed(1)} here + ${it.databaseSeconds.toFixed(1)} PostgreSQL`
  return [
    title.padEnd(52),
    ms === undefined
      ? `${Math.round(perSecond)} a second`
      : `p50 ${ms.p50.toFixed(1)} ms, p99 ${ms.p99.toFixed(1)} ms`,
    cost,
    ...(it.missing > 0 ? [`${it.missing} missing`] : []),
    ...(it.duplicates > 0 ? [`${it.duplicates} twice`] : []),
    `load ${load.toFixed(0)}`,
  ].join('; ')
}
