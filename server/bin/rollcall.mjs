#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { currentBundle } from './bundle-state.mjs'
import { findNode, isNewEnough, runInForeground } from './node-24.mjs'

const node = findNode()
if (isNewEnough()) {
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
  const { main } = await import(currentBundle() ?? '../src/main.ts')
  await main(process.argv.slice(2))
} else if (node) {
  const script = fileURLToPath(import.meta.url)
  process.exitCode = await runInForeground(node, [script, ...process.argv.slice(2)])
} else {
  process.stderr.write(
    `rollcall needs Node 24.11 or newer; this is ${process.versions.node}. Run npm ci in the root folder, which brings it along, or install it.\n`,
  )
  process.exitCode = 1
}
