import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** What `needs` asks for: the compiler, and the library of Debian that holds the simulator. */
export const VCSIM_NEEDS = [
  'flock',
  'go',
  '/usr/share/gocode/src/github.com/vmware/govmomi/simulator',
] as const

export interface Vcsim {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Starts a vCenter with the given flags of `support/scanned-hosts/vcsim/main.go`, built once for this version of it: about half a minute. */
export async function vcsim(...flags: readonly string[]): Promise<Vcsim> {
  const child = spawn(await built(), flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error('vcsim ended at its start'))),
  ])) as [string]
  return {
    port: Number(line),
    async close() {
      child.kill()
      await exited
    },
  }
}

const SOURCE = join(import.meta.dirname, 'vcsim')
const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache')
const BUILD_MS = 300_000
/** Once, whoever asks first; without optimizing, which takes longer than it spares here. */
const BUILD = `[ -e "$0" ] || { go build -gcflags='all=-N -l -dwarf=false' -ldflags=-s -o "$0.new" main.go; mv "$0.new" "$0"; }`

async function built(): Promise<string> {
  const digest = createHash('sha256').update(await readFile(join(SOURCE, 'main.go')))
  const folder = join(CACHE, `vcsim-${digest.digest('hex').slice(0, 16)}`)
  const program = join(folder, 'vcsim')
  if (existsSync(program)) return program
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('flock', [join(folder, 'lock'), 'sh', '-euc', BUILD, program], {
    cwd: SOURCE,
    timeout: BUILD_MS,
    // the libraries of Debian lie where modules did not exist yet
    env: {
      PATH: `/usr/bin:/bin:${process.env.PATH}`,
      HOME: folder,
      GOPATH: '/usr/share/gocode',
      GO111MODULE: 'off',
      GOTOOLCHAIN: 'local',
      GOCACHE: join(folder, 'cache'),
      CGO_ENABLED: '0',
    },
  })
  return program
}
