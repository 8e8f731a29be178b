#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'

// what the scheduler starts names its folder; compiled code in it spares a report some of its processor time
const state = process.argv.indexOf('--state') + 1
if (state > 0) module.enableCompileCache?.(join(process.argv[state] ?? '', 'cache'))
const { start } = await import('../src/update/start.ts')
process.exitCode = await start(process.argv.slice(2))
