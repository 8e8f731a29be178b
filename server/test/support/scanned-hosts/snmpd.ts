import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface Snmpd {
  readonly port: number
  /** A command of net-snmp against it, such as `snmpget`, as community `public`: what it prints. */
  readonly ask: (command: string, ...args: readonly string[]) => Promise<string>
  readonly close: () => Promise<void>
}

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const run = promisify(execFile)
const READY_MS = 60_000

/** A port of UDP that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

/** net-snmp's agent, with these lines in its configuration and nothing of this machine's own. */
export async function snmpd(...lines: readonly string[]): Promise<Snmpd> {
  const folder = await mkdtemp(join(tmpdir(), 'snmpd-'))
  const port = await freePort()
  await mkdir(join(folder, 'state'))
  const configuration = join(folder, 'snmpd.conf')
  await writeFile(configuration, ['rocommunity public', ...lines, ''].join('\n'))
  const args = ['-f', '-LF', 'e', join(folder, 'log'), '-C', '-c', configuration, '-I', '-smux']
  const child = spawn('snmpd', [...args, `udp:127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: { ...process.env, PATH, SNMP_PERSISTENT_DIR: join(folder, 'state'), MIBS: '' },
  })
  const exit = once(child, 'exit')
  const ask: Snmpd['ask'] = async (command, ...rest) => {
    const known = ['-v2c', '-c', 'public', '-t', '5', '-On', '-m', '']
    const options = { env: { ...process.env, PATH }, maxBuffer: 64 * 1_048_576 }
    return (await run(command, [...known, `127.0.0.1:${port}`, ...rest], options)).stdout
  }
  await answers(() => ask('snmpget', '1.3.6.1.2.1.1.3.0'))
  return {
    port,
    ask,
    async close() {
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Until the agent has come up; then what it says counts. */
export async function answers(question: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + READY_MS
  for (;;) {
    try {
      return void (await question())
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(100)
    }
  }
}
