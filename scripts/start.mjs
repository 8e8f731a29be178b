import { fileURLToPath } from 'node:url'
import { findNode, runInForeground } from '../server/bin/node-24.mjs'
import { buildDocsIfNeeded } from './build-docs.mjs'
import { buildServerIfNeeded } from './build-server.mjs'
import { buildWebIfNeeded } from './build-web.mjs'
import { installIfNeeded } from './install.mjs'

// npm start, and with --watch npm run dev: installs and builds if need be, then serves in the foreground. package.json says
// `exec`, so that no shell stands between npm and this process and swallows its signals.

const ORPHAN_CHECK_MS = 1_000

installIfNeeded()
buildWebIfNeeded()
buildDocsIfNeeded()
if (!process.argv.includes('--watch')) buildServerIfNeeded()
stopWithNpm()
const rollcall = fileURLToPath(new URL('../server/bin/rollcall.mjs', import.meta.url))
if (process.argv.includes('--watch')) {
  const watch = ['--watch', '--watch-preserve-output', rollcall, 'serve']
  process.exitCode = await runInForeground(findNode() ?? process.execPath, watch)
} else {
  process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve')
  await import(rollcall)
}

/** A killed npm leaves its child running, which would hold the port against the next start. */
function stopWithNpm() {
  const npm = process.ppid
  if (!process.env.npm_lifecycle_event) return
  const check = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(check)
    process.kill(process.pid, 'SIGTERM')
  }, ORPHAN_CHECK_MS)
  check.unref()
}
