import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Machine } from '../collecting/machine.ts'
import { LABEL, launchDaemon, PLIST } from './launch-daemon.ts'
import type { ScheduledProgram } from './scheduled-program.ts'
import { cronTable, SERVICE, serviceUnit, TIMER, timerUnit } from './systemd-units.ts'
import { privateFolder, TASK, taskArguments } from './windows-task.ts'

const UNITS = '/etc/systemd/system'
const CRON = '/etc/cron.d/rollcall-agent'
/** Packages that have nothing to do with cron make its folder, so the program has to be there too. */
const CRON_PROGRAMS = ['/usr/sbin/cron', '/usr/sbin/crond', '/usr/bin/crond']

export interface Installation extends ScheduledProgram {
  /** Before every path; `/` unless a test asks for another. Programs are started only for `/`. */
  readonly root: string
}

/**
 * Lets the host's own scheduler start the agent: launchd, the Task Scheduler of Windows, a systemd timer where systemd runs
 * the host, else a table of cron. Answers a sentence for people. Throws when there is none of them, or when a file cannot
 * be written.
 */
export async function install(installation: Installation, machine: Machine): Promise<string> {
  const { root, stateFolder } = installation
  if (machine.platform === 'win32') return installTask(installation, machine)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o644 })
  }
  mkdirSync(join(root, stateFolder), { recursive: true, mode: 0o700 })
  if (machine.platform === 'darwin') {
    write(PLIST, launchDaemon(installation))
    if (root === '/') await programs(machine, 'launchctl', ['bootstrap', 'system', PLIST])
    return `launchd starts the agent; launchctl print system/${LABEL} shows when.`
  }
  const isThere = (path: string): boolean => existsSync(join(root, path))
  if (isThere('/run/systemd/system')) {
    write(`${UNITS}/${SERVICE}`, serviceUnit(installation))
    write(`${UNITS}/${TIMER}`, timerUnit())
    if (root === '/') await programs(machine, 'systemctl', ['daemon-reload'], ['enable', '--now', TIMER])
    return `The systemd timer ${TIMER} starts the agent; systemctl list-timers ${TIMER} shows when.`
  }
  if (isThere(dirname(CRON)) && CRON_PROGRAMS.some(isThere)) {
    write(CRON, cronTable(installation))
    return `cron starts the agent; the table is ${CRON}.`
  }
  throw new Error(
    'this host has neither systemd nor cron: install cron, or let its scheduler start "rollcall-agent run" every five minutes',
  )
}

/** Takes away what `install` wrote; what is not there is no error. */
export async function uninstall({ root }: Pick<Installation, 'root'>, machine: Machine): Promise<void> {
  if (machine.platform === 'win32')
    return await programs(machine, 'schtasks.exe', ['/Delete', '/F', '/TN', TASK])
  if (machine.platform === 'darwin' && root === '/' && existsSync(PLIST))
    await programs(machine, 'launchctl', ['bootout', 'system', PLIST])
  const isTimer = existsSync(join(root, UNITS, TIMER))
  if (isTimer && root === '/') await programs(machine, 'systemctl', ['disable', '--now', TIMER])
  for (const path of [`${UNITS}/${TIMER}`, `${UNITS}/${SERVICE}`, CRON, PLIST])
    rmSync(join(root, path), { force: true })
  if (isTimer && root === '/') await programs(machine, 'systemctl', ['daemon-reload'])
}

/** Files below ProgramData are readable by everybody unless somebody says otherwise: the key must not be. */
async function installTask(installation: Installation, machine: Machine): Promise<string> {
  const { root, stateFolder } = installation
  mkdirSync(root === '/' ? stateFolder : join(root, stateFolder), { recursive: true })
  await programs(machine, 'icacls.exe', privateFolder(stateFolder))
  await programs(machine, 'schtasks.exe', taskArguments(installation))
  return `The Task Scheduler starts the agent; schtasks /Query /TN "${TASK}" shows when.`
}

async function programs(
  machine: Machine,
  program: string,
  ...calls: readonly (readonly string[])[]
): Promise<void> {
  for (const args of calls)
    if ((await machine.run(program, args)) === undefined) throw new Error(`there is no program ${program}`)
}
