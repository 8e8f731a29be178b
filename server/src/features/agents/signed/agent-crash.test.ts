import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { assetsOf, enrolled, installedIn } from '../agents.fixture.ts'
import { listAgents } from '../agents.ts'
import { AGENT_BIN, newHost, statusOf } from './signed-agent.fixture.ts'

const home = sharedTestApp()
const KILLS = 12
const MINUTES_3_MS = 180_000

test(
  'an agent that is killed at any moment loses no report and stays who it is',
  { timeout: MINUTES_3_MS },
  async () => {
    const { ctx, secret } = await enrolled(home())
    const host = newHost('KILO0011')
    await host.run('enrol', await home().address(), secret)
    const begin = performance.now()
    await host.start('run', '--now')
    const wholeMs = performance.now() - begin
    for (let kill = 0; kill < KILLS; kill += 1) {
      const version = `5.2.${kill}`
      host.write('var/lib/dpkg/status', statusOf({ bash: version }))
      const child = spawn(process.execPath, [AGENT_BIN, 'run', '--now', ...host.folders], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), (wholeMs * (kill + 1)) / KILLS)
      await ended
      clearTimeout(timer)
      // whatever the killed one had written and sent, the next one makes it whole
      expect(await host.run('run', '--now')).toMatchObject({ code: 0, err: '' })
      expect(await installedIn(ctx, 'agent')).toMatchObject([{ name: 'bash', version }])
    }
    expect(await assetsOf(ctx)).toHaveLength(1)
    expect((await listAgents(ctx, { limit: 5, offset: 0 })).total).toBe(1)
  },
)
