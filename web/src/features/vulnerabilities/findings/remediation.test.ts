import { expect, test } from 'vitest'
import { remediationOf } from './remediation.ts'

const attribution = (software: string, endedAt: string | null = null) =>
  ({ software, endedAt }) as Parameters<typeof remediationOf>[0]['attributions'][number]

test('the fix closes it, on all of the software that has it', () => {
  const one = [attribution('curl 7.88.1'), attribution('curl 7.88.1'), attribution('libcurl 7', '2026-01-01')]
  expect(remediationOf({ status: 'open', fixedVersion: '7.88.2', attributions: one })).toMatch(
    /^Version 7.88.2 or later closes it, /,
  )
  const two = [attribution('curl 7.88.1'), attribution('libcurl4 7.88.1')]
  expect(remediationOf({ status: 'open', fixedVersion: '7.88.2', attributions: two })).toMatch(/all 2 listed/)
})

test('without a fix it is the software that goes; what is closed needs nothing', () => {
  const attributions = [attribution('curl 7.88.1')]
  expect(remediationOf({ status: 'open', fixedVersion: '', attributions })).toMatch(/^No fix is known/)
  expect(remediationOf({ status: 'resolved', fixedVersion: '', attributions })).toBeUndefined()
})
