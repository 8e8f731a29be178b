import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export const AGENT = join(import.meta.dirname, '../../../../../agent/src/main.ts')
export const AGENT_BIN = join(AGENT, '../../bin/rollcall-agent.mjs')

/** The status file of dpkg. */
export const statusOf = (packages: Readonly<Record<string, string>>): string =>
  Object.entries(packages)
    .map(
      ([name, version]) =>
        `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${version}\n`,
    )
    .join('\n')

const files = (serial: string): Record<string, string> => ({
  'etc/os-release': 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
  'proc/sys/kernel/hostname': `web-${serial.toLowerCase()}\n`,
  'sys/class/dmi/id/product_serial': `${serial}\n`,
  'sys/class/dmi/id/board_serial': `BOARD${serial}\n`,
  'sys/class/dmi/id/sys_vendor': 'Dell Inc.\n',
  'sys/class/dmi/id/product_name': 'PowerEdge R640\n',
  'var/lib/dpkg/status': statusOf({ bash: '5.2.15-2+b2', openssl: '3.0.11-1~deb12u2' }),
})

interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface AgentProgram {
  readonly main: (
    args: readonly string[],
    output: { print: (text: string) => void; complain: (text: string) => void },
  ) => Promise<number>
}

/** The real agent, in this process. */
async function runAgent(args: readonly string[]): Promise<Outcome> {
  const { main } = (await import(AGENT)) as AgentProgram
  const [out, err] = [[] as string[], [] as string[]]
  const code = await main(args, { print: (it) => void out.push(it), complain: (it) => void err.push(it) })
  return { code, out: out.join(''), err: err.join('\n') }
}

/** The same as a process of its own. */
const startAgent = (args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, [AGENT_BIN, ...args], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

/** A host as files below a folder, which the agent reads. */
export function newHost(serial: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [root, state] = [join(folder, 'root'), join(folder, 'state')]
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files(serial))) write(path, text)
  const folders = ['--state', state, '--root', root]
  const run = (...words: string[]): Promise<Outcome> => runAgent([...words, ...folders])
  const start = (...words: string[]): Promise<Outcome> => startAgent([...words, ...folders])
  const identity = (): string => readFileSync(join(state, 'identity.json'), 'utf8')
  return { state, folders, write, run, start, identity }
}
