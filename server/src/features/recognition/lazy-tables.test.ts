import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const RECOGNITION = new URL('recognition.ts', import.meta.url).href
const SCRIPT = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const read = []
  const { readFileSync } = fs
  fs.readFileSync = (file, ...rest) => {
    if (String(file).includes('/recognition/data/')) read.push(String(file).replace(/.*\\/data\\//, ''))
    return readFileSync(file, ...rest)
  }
  syncBuiltinESMExports()
  const { recognizeMac } = await import(${JSON.stringify(RECOGNITION)})
  const atStart = [...read]
  recognizeMac({ actor: { may: () => true } }, '00:00:0C:12:34:56')
  process.stdout.write(JSON.stringify({ atStart, read }))
`

test('tables are read when something is recognised, not by whoever starts', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT])
  const { atStart, read } = JSON.parse(stdout) as { atStart: string[]; read: string[] }
  expect(atStart).toEqual([])
  expect(read).toContain('oui.tsv')
})
