import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createToken } from '#features/agents/agents.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { makeArchive } from '../src/features/agents/packages/agent-archive.ts'
import { agentFiles } from '../src/features/agents/packages/agent-files.ts'
import { nodeOf, servedPlatforms } from '../src/features/agents/packages/agent-platforms.ts'
import { startProduct } from './processes.ts'
import { openScratch } from './scratch-installation.ts'

const PACKAGES = 5_000
const RUNS = 7

/** One report by a process of its own. */
interface Run {
  /** User and system, of the whole process. */
  readonly cpuSeconds: number
  readonly peakMb: number
  /** From the agent to the server, headers included. */
  readonly sentBytes: number
}

interface Measured {
  readonly title: string
  /** The median of each. */
  readonly run: Run
}

/** Reports of the packed agent on a host of 5,000 packages, and the sizes of the archives that this installation makes. */
export async function benchAgent(): Promise<CommandResult> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  const load = loadavg()[0] ?? 0
  const scratch = await openScratch({ size: 1, keepIn: undefined, say })
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-agent-'))
  const server = await startProduct(scratch.environment)
  try {
    const { system, contextFor } = scratch.runtime
    const { id } = await createTenant(system, { slug: 'agents', name: 'Agents' })
    const { secret } = await createToken(contextFor(id), { name: 'bench' })
    const measured = await reports(folder, server.address, secret)
    const archives = await archiveSizes()
    return { json: { load, measured, archives }, text: asText(load, measured, archives) }
  } finally {
    await server.stop()
    await scratch.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function reports(folder: string, address: string, secret: string): Promise<Measured[]> {
  const wire = await countingProxy(address)
  try {
    const host = newHost(folder, wire.sent)
    host.install({})
    const first = await host.run('enrol', wire.address, secret)
    const unchanged: Run[] = []
    const changed: Run[] = []
    for (let run = 0; run < RUNS; run += 1) unchanged.push(await host.run('run', '--now'))
    for (let run = 0; run < RUNS; run += 1) {
      host.install({ 'package-2500': `2.${run}` })
      changed.push(await host.run('run', '--now'))
    }
    const alone: Run[] = []
    for (let run = 0; run < RUNS; run += 1) alone.push(await host.nodeAlone())
    return [
      { title: 'Node alone, an empty script', run: medianOf(alone) },
      { title: 'enrolment and everything', run: first },
      { title: 'nothing changed', run: medianOf(unchanged) },
      { title: 'one package changed', run: medianOf(changed) },
    ]
  } finally {
    wire.close()
  }
}

function newHost(folder: string, sent: () => number) {
  const [agent, root, state] = ['agent', 'root', 'state'].map((it) => join(folder, it)) as [
    string,
    string,
    string,
  ]
  const usage = join(folder, 'usage.json')
  for (const { path, content, isProgram } of agentFiles()) {
    mkdirSync(dirname(join(agent, path)), { recursive: true })
    writeFileSync(join(agent, path), content, { mode: isProgram ? 0o755 : 0o644 })
  }
  const probe = encodeURIComponent(
    `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync('${usage}',JSON.stringify(process.resourceUsage())))`,
  )
  symlinkSync(nodeOf('linux-x64')?.program ?? process.execPath, join(agent, 'node'))
  const program = join(agent, 'rollcall-agent')
  writeFileSync(join(folder, 'empty.mjs'), '')
  return {
    install(changed: Readonly<Record<string, string>>): void {
      mkdirSync(join(root, 'var/lib/dpkg'), { recursive: true })
      writeFileSync(join(root, 'var/lib/dpkg/status'), statusFile(changed))
    },
    nodeAlone: () => measured(join(agent, 'node'), ['--max-semi-space-size=1', join(folder, 'empty.mjs')]),
    run: (...words: readonly string[]) => measured(program, [...words, '--state', state, '--root', root]),
  }
  async function measured(file: string, words: readonly string[]): Promise<Run> {
    const before = sent()
    const options = {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${probe}`, PATH: '/usr/bin:/bin' },
    }
    await promisify(execFile)(file, [...words], options)
    const used = JSON.parse(readFileSync(usage, 'utf8')) as NodeJS.ResourceUsage
    return {
      cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1_000_000,
      peakMb: used.maxRSS / 1_024,
      sentBytes: sent() - before,
    }
  }
}

/** With descriptions, as real lists have them. */
const statusFile = (changed: Readonly<Record<string, string>>): string =>
  Array.from({ length: PACKAGES }, (_, n) =>
    [
      `Package: package-${n}`,
      'Status: install ok installed',
      'Priority: optional',
      'Maintainer: Some Body <somebody@example.org>',
      'Architecture: amd64',
      `Source: source-${Math.floor(n / 3)}`,
      `Version: ${changed[`package-${n}`] ?? `1.${n}-${n % 7}`}`,
      'Depends: libc6 (>= 2.34), libgcc-s1 (>= 3.0), libstdc++6 (>= 11), zlib1g (>= 1:1.1.4)',
      'Description: a package that was made up for a measurement',
      ' Its description has some lines,',
      ' as those of real packages have.',
      '',
    ].join('\n'),
  ).join('\n')

/** Hands on what the agent sends, and counts it. */
async function countingProxy(address: string) {
  let bytes = 0
  const target = Number(new URL(address).port)
  const proxy = createServer((socket) => {
    const onward = connect(target, '127.0.0.1')
    socket.on('data', (chunk) => (bytes += chunk.length))
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, sent: () => bytes, close: () => proxy.close() }
}

const medianOf = (runs: readonly Run[]): Run => {
  const middle = (of: (run: Run) => number): number =>
    runs.map(of).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0
  return {
    cpuSeconds: middle((it) => it.cpuSeconds),
    peakMb: middle((it) => it.peakMb),
    sentBytes: middle((it) => it.sentBytes),
  }
}

async function archiveSizes(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {}
  for (const platform of servedPlatforms()) {
    await using archive = await makeArchive(platform)
    sizes[platform] = archive.size
  }
  return sizes
}

function asText(
  load: number,
  measured: readonly Measured[],
  archives: Readonly<Record<string, number>>,
): string {
  const rows = measured.map(
    ({ title, run }) =>
      `${title.padEnd(28)} ${run.cpuSeconds.toFixed(2)} s CPU  ${run.peakMb.toFixed(0)} MB  ${run.sentBytes.toLocaleString('en')} bytes sent`,
  )
  const sizes = Object.entries(archives).map(
    ([platform, size]) => `archive ${platform.padEnd(18)} ${(size / 1_000_000).toFixed(1)} MB`,
  )
  return [`${PACKAGES} packages, medians of ${RUNS} runs, load ${load.toFixed(1)}`, ...rows, ...sizes].join(
    '\n',
  )
}
