import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { thisMachine, type Machine } from '../collecting/machine.ts'
import { install, uninstall } from './install.ts'

/** systemd and cron do not run where tests run: the files are written below a folder, and systemd reads them there. */
function newRoot(...folders: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true })
  return root
}

const command = ['/bin/true', '/opt/a "b" 50%/$x']

test('systemd gets a timer and a service that it can read', async () => {
  const root = newRoot('run/systemd/system')
  const installation = { root, command, stateFolder: '/var/lib/rollcall-agent' }
  expect(await install(installation, thisMachine(root))).toContain('rollcall-agent.timer')
  const [service, timer] = ['service', 'timer'].map((it) =>
    join(root, `etc/systemd/system/rollcall-agent.${it}`),
  )
  expect(readFileSync(service ?? '', 'utf8')).toContain(
    String.raw`ExecStart="/bin/true" "/opt/a \"b\" 50%%/$$x" "run"`,
  )
  if (existsSync('/usr/bin/systemd-analyze'))
    execFileSync('/usr/bin/systemd-analyze', ['verify', '--man=no', service ?? '', timer ?? ''], {
      stdio: 'pipe',
    })
  await uninstall({ root }, thisMachine(root))
  expect([service, timer].map((it) => existsSync(it ?? ''))).toEqual([false, false])
})

test('without systemd cron starts the agent, and without cron the person is told', async () => {
  const root = newRoot('etc/cron.d', 'usr/sbin/cron')
  const installation = { root, command, stateFolder: '/var/lib/rollcall-agent' }
  await install(installation, thisMachine(root))
  expect(readFileSync(join(root, 'etc/cron.d/rollcall-agent'), 'utf8')).toContain(
    String.raw`*/5 * * * * root '/bin/true' '/opt/a "b" 50\%/$x' 'run' >/dev/null 2>&1`,
  )
  for (const bare of [newRoot(), newRoot('etc/cron.d'), newRoot('usr/sbin/cron')]) {
    const installing = install({ ...installation, root: bare }, thisMachine(bare))
    await expect(installing).rejects.toThrow('neither systemd nor cron: install cron')
    expect(existsSync(join(bare, 'etc/cron.d/rollcall-agent'))).toBe(false)
  }
})

test('launchd and the Task Scheduler are told by what their manuals say; neither runs here', async () => {
  const root = newRoot()
  const calls: (readonly string[])[] = []
  const host = (platform: NodeJS.Platform): Machine => ({
    ...thisMachine(root),
    platform,
    run: async (program, args) => {
      calls.push([program, ...args])
      return ''
    },
  })
  const installation = { root, command, stateFolder: '/Library/Application Support/Rollcall Agent' }
  expect(await install(installation, host('darwin'))).toContain('launchctl print system/rollcall-agent')
  expect(readFileSync(join(root, 'Library/LaunchDaemons/rollcall-agent.plist'), 'utf8')).toContain(
    '<string>/opt/a "b" 50%/$x</string>',
  )
  await install({ root, command: ['C:\\Program Files\\agent.exe'], stateFolder: 'state' }, host('win32'))
  expect(calls.map(([program]) => program)).toEqual(['icacls.exe', 'schtasks.exe'])
  expect(calls[1]?.at(-1)).toBe('"C:\\Program Files\\agent.exe" run')
  await uninstall({ root }, host('darwin'))
  expect(existsSync(join(root, 'Library/LaunchDaemons/rollcall-agent.plist'))).toBe(false)
})
