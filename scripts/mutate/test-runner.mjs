import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** For the tests of a folder or room; what takes longer is counted apart. */
const LIMIT_MS = 300_000

/** Runs tests of a tree in a process that stays, and in a new one when a mutant made it hang. */
export function testRunner(tree) {
  let running
  return { ready, run, stop }

  /** To be waited for before each change: the database is made by the tree as it is, or all later changes would fail. */
  async function ready() {
    running ??= await start(tree)
  }

  async function run(changed, files) {
    await ready()
    running.send({ changed, files })
    const answer = await answerOf(running)
    if (answer === 'late') {
      await stop()
      return { outcome: 'late' }
    }
    return answer.by ? { outcome: 'noticed', by: answer.by } : { outcome: 'survived' }
  }

  async function stop() {
    if (!running) return
    const ended = once(running, 'exit')
    running.disconnect()
    const patience = setTimeout(() => running.kill('SIGKILL'), 30_000)
    await ended
    clearTimeout(patience)
    running = undefined
  }
}

async function start(tree) {
  const child = fork(join(import.meta.dirname, 'warm-tests.mjs'), [tree], {
    cwd: tree,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

async function answerOf(child) {
  const limit = new AbortController()
  const patience = setTimeout(() => limit.abort(), LIMIT_MS)
  try {
    const [answer] = await once(child, 'message', { signal: limit.signal })
    return answer
  } catch {
    return 'late'
  } finally {
    clearTimeout(patience)
  }
}
