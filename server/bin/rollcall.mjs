#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { currentBundle } from './bundle-state.mjs'
import { findNode, hasServerFlags, isNewEnough, runInForeground, SERVER_FLAGS } from './node-24.mjs'

const node = findNode()
const script = fileURLToPath(import.meta.url)
const words = process.argv.slice(2)
const flags = words[0] === 'serve' && !hasServerFlags() ? SERVER_FLAGS : []
if (isNewEnough()) {
  // takes the place of this process; a parent that talks with it would lose it, and on Windows there is no such call
  if (flags.length > 0 && !process.send && process.platform !== 'win32')
    process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, script, ...words])
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
  const { main } = await import(currentBundle() ?? '../src/main.ts')
  await main(words)
} else if (node) {
  process.exitCode = await runInForeground(node, [...flags, script, ...words])
} else {
  process.stderr.write(
    `rollcall needs Node 24.11 or newer; this is ${process.versions.node}. Run npm ci in the root folder, which brings it along, or install it.\n`,
  )
  process.exitCode = 1
}
