import { expect, test } from 'vitest'
import { runCommandLine } from './cli.ts'

test('what others wrote is no command to the terminal', async () => {
  const told: string[] = []
  const take = (text: string) => Promise.resolve(void told.push(text))
  await runCommandLine(['tenant', 'list', '--a\x1b[31m\x07\x9bé'], { out: take, err: take })
  expect(told.join('')).toContain('--a\\x1b[31m\\x07\\x9bé')
  expect(told.join('')).toMatch(/^\P{Cc}+\n/u)
})
