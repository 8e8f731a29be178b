import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Machine } from '../collecting/machine.ts'
import { cronTable, SERVICE, serviceUnit, TIMER, timerUnit, type ScheduledProgram } from './systemd-units.ts'

const UNITS = '/etc/systemd/system'
const CRON = '/etc/cron.d/rollcall-agent'

export interface Installation extends ScheduledProgram {
  /** Before every path; `/` unless a test asks for another. Programs are started only for `/`. */
  readonly root: string
}

/**
 * Lets the host's own scheduler start the agent: a systemd timer where systemd runs the host, else a table of cron. Answers
 * a sentence for people. Throws when there is neither, or when a file cannot be written.
 */
export async function install(installation: Installation, machine: Machine): Promise<string> {
  const { root } = installation
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o644 })
  }
  mkdirSync(join(root, installation.stateFolder), { recursive: true, mode: 0o700 })
  if (existsSync(join(root, '/run/systemd/system'))) {
    write(`${UNITS}/${SERVICE}`, serviceUnit(installation))
    write(`${UNITS}/${TIMER}`, timerUnit())
    if (root === '/') await systemctl(machine, ['daemon-reload'], ['enable', '--now', TIMER])
    return `The systemd timer ${TIMER} starts the agent; systemctl list-timers ${TIMER} shows when.`
  }
  if (existsSync(join(root, dirname(CRON)))) {
    write(CRON, cronTable(installation))
    return `cron starts the agent; the table is ${CRON}.`
  }
  throw new Error(
    'this host has neither systemd nor /etc/cron.d: let its scheduler start "rollcall-agent run" every five minutes',
  )
}

/** Takes away what `install` wrote; what is not there is no error. */
export async function uninstall({ root }: Pick<Installation, 'root'>, machine: Machine): Promise<void> {
  const isTimer = existsSync(join(root, UNITS, TIMER))
  if (isTimer && root === '/') await systemctl(machine, ['disable', '--now', TIMER])
  for (const path of [`${UNITS}/${TIMER}`, `${UNITS}/${SERVICE}`, CRON])
    rmSync(join(root, path), { force: true })
  if (isTimer && root === '/') await systemctl(machine, ['daemon-reload'])
}

async function systemctl(machine: Machine, ...calls: readonly string[][]): Promise<void> {
  for (const args of calls)
    if ((await machine.run('systemctl', args)) === undefined) throw new Error('there is no program systemctl')
}
