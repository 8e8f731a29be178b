import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../../scripts/temporary-files.mjs'

test('what a run leaves among its temporary files is named, without what other programs keep, and is gone', () => {
  let made = ''
  const { result, left } = withTemporaryFolder((folder: string) => {
    made = folder
    mkdtempSync(join(folder, 'conditions-'))
    const others = [
      '.org.chromium.Chromium.q1w2e3',
      'playwright-artifacts-q1w2e3',
      'tmpq1w2e3',
      'rollcall-none',
    ]
    for (const name of ['rollcall-0-5f2b', ...others]) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'rollcall-0-5f2b', 'lock'), 'a process')
    return 7
  })
  expect([result, left.toSorted()]).toEqual([7, [expect.stringMatching(/^conditions-/), 'rollcall-0-5f2b']])
  expect(existsSync(made)).toBe(false)
})

test('a run that throws leaves nothing either', () => {
  let made = ''
  const run = () =>
    withTemporaryFolder((folder: string) => {
      made = folder
      throw new Error('in between')
    })
  expect(run).toThrow('in between')
  expect(existsSync(made)).toBe(false)
})
