import { PORTS } from '#features/scans/probes/sweep/port-scan.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { statFieldsOf } from '../process-stat.ts'
import { openServiceNetwork, type ServiceNetwork } from './service-network.ts'

const HOSTS = { usual: 120, most: 240 }
/** Whole numbers of bits; the shortest is a range of 65,536 addresses. */
const PREFIX = { usual: 22, least: 16, most: 24 }
const TURNS = 3

interface Figures {
  readonly seconds: number
  readonly processorSeconds: number
  /** When the first host was told of, and half of them; absent where that is told at the end. */
  readonly firstSeconds?: number
  readonly halfSeconds?: number
  /** Hosts that were found, and of these the ones of which every service told what it is. */
  readonly found: number
  readonly withServices: number
}

/** A sweep of a range with real services in network namespaces, and nmap with its detection of services, in turns. */
export async function benchSweeps({ options }: CommandInput): Promise<CommandResult> {
  const hosts = within('hosts', options['hosts'], { usual: HOSTS.usual, least: 4, most: HOSTS.most })
  const prefix = within('prefix', options['prefix'], PREFIX)
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  say(`starting ${hosts} machines`)
  const network = await openServiceNetwork(hosts, prefix, options['shells'] === true)
  try {
    const [ours, theirs]: [Figures[], Figures[]] = [[], []]
    const turns = prefix < PREFIX.usual ? 1 : TURNS
    for (let turn = 0; turn < turns; turn++) {
      say(`turn ${turn + 1} of ${turns}`)
      ours.push(await sweptBy(network))
      if (options['alone'] !== true) theirs.push(await nmapOf(network))
    }
    return report(network, ours, theirs)
  } finally {
    await network.close()
  }
}

interface Bounds {
  readonly usual: number
  readonly least: number
  readonly most: number
}

function within(name: string, given: unknown, { usual, least, most }: Bounds): number {
  const value = given === undefined ? usual : Number(given)
  if (!Number.isInteger(value) || value < least || value > most)
    throw invalid(name, `must be a whole number from ${least} to ${most}`)
  return value
}

async function sweptBy({ lab, range, machines }: ServiceNetwork): Promise<Figures> {
  const before = childrenSeconds()
  const { seen, seenAfterMs, elapsedMs } = await lab.sweep(range)
  const factsAt = new Map(seen.map((it) => [it.sourceKey.split('|')[0], it.facts]))
  const isWhole = ({ address, isWeb }: ServiceNetwork['machines'][number]): boolean => {
    const facts = factsAt.get(address)
    return facts !== undefined && (isWeb ? 'http' in facts && 'https' in facts : 'sshBanner' in facts)
  }
  const secondsAt = (at: number): number => (seenAfterMs[at] ?? elapsedMs) / 1_000
  return {
    seconds: elapsedMs / 1_000,
    processorSeconds: childrenSeconds() - before,
    firstSeconds: secondsAt(0),
    halfSeconds: secondsAt(Math.floor(seen.length / 2)),
    found: machines.filter(({ address }) => factsAt.has(address)).length,
    withServices: machines.filter(isWhole).length,
  }
}

/** Of `/proc/PID/stat`: processor time of children that have ended, in hundredths of a second. */
const ENDED_CHILDREN_TICKS = [13, 14] as const

/** Processor time of the processes that this one started and that have ended, those that they started among them. */
const childrenSeconds = (): number => {
  const fields = statFieldsOf('self')
  return ENDED_CHILDREN_TICKS.reduce((sum, at) => sum + Number(fields[at]), 0) / 100
}

/** Connections and services at the ports that the sweep asks, without names, as nmap paces itself. */
async function nmapOf({ lab, range, machines }: ServiceNetwork): Promise<Figures> {
  const startedAt = performance.now()
  const before = childrenSeconds()
  const listed = await lab.run(
    'scanner',
    'nmap',
    '-n',
    '-sT',
    '-sV',
    '-p',
    PORTS.join(','),
    '-oG',
    '-',
    range,
  )
  const seconds = (performance.now() - startedAt) / 1_000
  const lines = new Map(
    [...listed.matchAll(/^Host: (\S+) .*Ports: (.*)$/gm)].map(([, address = '', ports = '']) => [
      address,
      ports,
    ]),
  )
  const isWhole = ({ address, isWeb }: ServiceNetwork['machines'][number]): boolean => {
    const ports = lines.get(address) ?? ''
    return isWeb
      ? /80\/open[^,]*nginx/.test(ports) && /443\/open[^,]*nginx/.test(ports)
      : /OpenSSH/.test(ports)
  }
  return {
    seconds,
    processorSeconds: childrenSeconds() - before,
    found: machines.filter(({ address }) => lines.has(address)).length,
    withServices: machines.filter(isWhole).length,
  }
}

const medianOf = (figures: readonly Figures[]): number =>
  figures.map(({ seconds }) => seconds).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

function told({
  seconds,
  processorSeconds,
  firstSeconds,
  halfSeconds,
  found,
  withServices,
}: Figures): string {
  const early =
    firstSeconds === undefined || halfSeconds === undefined
      ? ''
      : `, the first after ${firstSeconds.toFixed(1)} s, half after ${halfSeconds.toFixed(1)} s`
  return `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time (${found} found${early}, ${withServices} with services)`
}

function report(
  { range, machines }: ServiceNetwork,
  ours: readonly Figures[],
  theirs: readonly Figures[],
): CommandResult {
  const ratio = theirs.length === 0 ? undefined : medianOf(ours) / medianOf(theirs)
  const missed = ours.filter(({ withServices }) => withServices < machines.length)
  const shortfalls = [
    ...(ratio !== undefined && ratio > 1 ? [`${ratio.toFixed(2)} of the time of nmap`] : []),
    ...missed.map(({ withServices }) => `${machines.length - withServices} machines not told whole`),
  ]
  return {
    json: { range, machines: machines.length, ours, theirs, ratio: ratio ?? null, shortfalls },
    text: [
      `${range}, ${machines.length} machines with sshd, or nginx at 80 and 443`,
      ...ours.map((it) => `sweep, names and SNMP asked too: ${told(it)}`),
      ...theirs.map((it) => `nmap -sT -sV at the same ports:  ${told(it)}`),
      ...(ratio === undefined ? [] : [`median: ${ratio.toFixed(2)} of the time of nmap`]),
      shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
    ].join('\n'),
    ...(shortfalls.length > 0 && { isBad: true }),
  }
}
