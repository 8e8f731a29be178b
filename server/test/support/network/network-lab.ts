import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Observation } from '../../../src/features/assets/observation.ts'

export interface LabPlan {
  /** The address of the scanning machine with its prefix, such as `10.77.0.1/24`. */
  readonly scanner: string
  /** Machines by name, each with the addresses of its one interface. */
  readonly machines: Readonly<Record<string, readonly string[]>>
  /** Networks that the scanner reaches by the machine with the given address. */
  readonly routes?: Readonly<Record<string, string>>
}

export interface NetworkLab {
  /** A folder for configuration and state of the services, gone with the lab. */
  readonly folder: string
  /** The network namespace of a machine. */
  readonly spaceOf: (machine: string) => string
  /** Runs a command on a machine (the scanner when it is `scanner`) to its end. */
  readonly run: (machine: string, command: string, ...args: string[]) => Promise<string>
  /** Starts a service on a machine and waits until all `ports` (such as `tcp 80`) are bound there. */
  readonly serve: (machine: string, ports: readonly string[], command: readonly string[]) => Promise<void>
  /** Adds rules of nftables for what comes in to a machine. */
  readonly firewall: (machine: string, ...rules: string[]) => Promise<void>
  readonly sweep: (cidr: string, ...dnsServer: string[]) => Promise<Swept>
  readonly close: () => Promise<void>
}

export interface Swept {
  readonly seen: readonly Observation[]
  /** How long after its beginning each of those was seen. */
  readonly seenAfterMs: readonly number[]
  readonly elapsedMs: number
  /** Of how many networks only a sample was asked: at most at one time, and at the end. */
  readonly sampledOnlyMost: number
  readonly sampledOnlyAtEnd: number
}

const run = promisify(execFile)
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const READY_MS = 30_000

/** Machines in network namespaces, on one bridge that the scanner owns. Needs root and iproute2. */
export async function networkLab(plan: LabPlan): Promise<NetworkLab> {
  const id = randomBytes(3).toString('hex')
  const space = (machine: string): string => `lab-${id}-${machine}`
  const machines = Object.keys(plan.machines)
  const folder = await mkdtemp(join(tmpdir(), 'lab-'))
  const services: Promise<unknown>[] = []

  const inside: NetworkLab['run'] = async (machine, command, ...args) =>
    (await run('ip', ['netns', 'exec', space(machine), command, ...args], options)).stdout
  await build(plan, space)
  return {
    folder,
    spaceOf: space,
    run: inside,
    async serve(machine, ports, command) {
      const child = spawn('ip', ['netns', 'exec', space(machine), ...command], {
        stdio: 'ignore',
        env: options.env,
      })
      if (child.pid === undefined) throw new Error(`${command[0]} did not start`)
      services.push(new Promise((resolve) => child.once('exit', resolve)))
      await bound(() => inside(machine, 'cat', '/proc/net/tcp', '/proc/net/tcp6', '/proc/net/udp'), ports)
    },
    async firewall(machine, ...rules) {
      const file = join(folder, `${machine}.nft`)
      const chain = `chain input {\ntype filter hook input priority 0;\n${rules.join('\n')}\n}`
      await writeFile(file, `table inet filter {\n${chain}\n}\n`)
      await inside(machine, 'nft', '-f', file)
    },
    async sweep(cidr, ...dnsServer) {
      const script = join(import.meta.dirname, 'sweep-in-namespace.ts')
      return JSON.parse(await inside('scanner', process.execPath, script, cidr, ...dnsServer)) as Swept
    },
    async close() {
      for (const machine of ['scanner', ...machines]) {
        const { stdout } = await run('ip', ['netns', 'pids', space(machine)], options)
        for (const pid of stdout.split('\n').filter(Boolean)) kill(Number(pid))
        await run('ip', ['netns', 'del', space(machine)], options)
      }
      await Promise.all(services)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Services have children of their own, which go when their parents do, or not. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

const options = { env: { ...process.env, PATH }, maxBuffer: 64 * 1024 * 1024 }

async function build(
  { scanner, machines, routes }: LabPlan,
  space: (machine: string) => string,
): Promise<void> {
  const prefix = scanner.split('/')[1]
  const ip = (...args: string[]): Promise<unknown> => run('ip', args, options)
  for (const machine of ['scanner', ...Object.keys(machines)]) {
    await ip('netns', 'add', space(machine))
    await ip('-n', space(machine), 'link', 'set', 'lo', 'up')
  }
  await ip('-n', space('scanner'), 'link', 'add', 'bridge', 'type', 'bridge')
  await ip('-n', space('scanner'), 'link', 'set', 'bridge', 'up')
  await ip('-n', space('scanner'), 'addr', 'add', scanner, 'dev', 'bridge', ...withoutDad(scanner))
  for (const [at, [machine, addresses]] of Object.entries(machines).entries()) {
    const port = `port${at}`
    await ip(
      'link',
      'add',
      port,
      'netns',
      space('scanner'),
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      space(machine),
    )
    await ip('-n', space('scanner'), 'link', 'set', port, 'master', 'bridge', 'up')
    await ip('-n', space(machine), 'link', 'set', 'eth0', 'up')
    for (const address of addresses) {
      await ip(
        '-n',
        space(machine),
        'addr',
        'add',
        `${address}/${prefix}`,
        'dev',
        'eth0',
        ...withoutDad(address),
      )
    }
  }
  for (const [network, router] of Object.entries(routes ?? {})) {
    await ip('-n', space('scanner'), 'route', 'add', network, 'via', router)
  }
}

const withoutDad = (address: string): string[] => (address.includes(':') ? ['nodad'] : [])

/** Waits until the kernel lists the ports as bound; the tables name them in hexadecimal. */
async function bound(tables: () => Promise<string>, ports: readonly string[]): Promise<void> {
  const wanted = ports.map(
    (it) => `:${Number(it.split(' ')[1]).toString(16).toUpperCase().padStart(4, '0')} `,
  )
  const deadline = Date.now() + READY_MS
  for (;;) {
    const text = await tables()
    if (wanted.every((port) => text.includes(port))) return
    if (Date.now() > deadline) throw new Error(`not bound: ${ports.join(', ')}`)
    await sleep(50)
  }
}
