import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const TIMEOUT_MS = 120_000
const run = promisify(execFile)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Runs a program with a folder or file of its own in place of one that it always uses. */
async function runWith(own: string, inPlaceOf: string, command: readonly string[]): Promise<string> {
  const bind = 'own=$0; place=$1; shift; mount --bind "$own" "$place" && exec "$@"'
  const { stdout, stderr } = await run('unshare', ['-m', 'sh', '-c', bind, own, inPlaceOf, ...command], {
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1_048_576,
    env: { ...process.env, LC_ALL: 'C' },
  })
  return stdout + stderr
}

/** One run of the FusionInventory agent of Debian against an address; answers what it wrote to its log. */
export const runFusionInventory = (address: string, ...options: readonly string[]): Promise<string> =>
  runWith(folder(), '/var/lib/fusioninventory-agent', [
    'fusioninventory-agent',
    `--server=${address}`,
    '--config=none',
    '--tasks=inventory',
    '--force',
    '--no-category=environment,process,controller,usb,port,printer,video,sound,lvm',
    '--logger=stderr',
    '--debug',
    ...options,
  ])

/** The OCS Inventory agent of Debian as it is installed on one host: answers how to run it. */
export function ocsInventory(): (address: string, ...options: readonly string[]) => Promise<string> {
  const home = folder()
  return (address, ...options) => runOcsInventory(home, address, options)
}

function runOcsInventory(home: string, address: string, options: readonly string[]): Promise<string> {
  const config = join(home, 'agent.cfg')
  writeFileSync(config, `server=${address}\nssl=0\n`)
  return runWith(config, '/etc/ocsinventory/ocsinventory-agent.cfg', [
    'ocsinventory-agent',
    `--server=${address}`,
    '--ssl=0',
    `--basevardir=${home}`,
    '--debug',
    '--wait=0',
    ...options,
  ])
}

/** A file that the agent finds in place of one of the host. */
interface OwnFile {
  readonly inPlaceOf: string
  readonly content: string
}

/** The GLPI agent from a tree of its source, as it is installed on one host: answers how to run it. */
export function glpiAgent(tree: string): (address: string, file?: OwnFile) => Promise<string> {
  const home = folder()
  return (address, { inPlaceOf, content } = { inPlaceOf: '/etc/motd', content: '' }) => {
    const own = join(home, 'own-file')
    writeFileSync(own, content)
    const words = [`--server=${address}`, `--vardir=${home}`, '--tag=paris', '--tasks=inventory', '--force']
    const quiet = ['--no-category=environment,process', '--logger=stderr', '--debug', '--debug']
    return runWith(own, inPlaceOf, [
      'perl',
      `-I${tree}/lib`,
      `${tree}/bin/glpi-agent`,
      `--conf-file=${tree}/etc/agent.cfg`,
      ...words,
      ...quiet,
    ])
  }
}
