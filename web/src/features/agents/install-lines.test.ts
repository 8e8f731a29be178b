import { expect, test } from 'vitest'
import { installLines, needsHttps } from './install-lines.ts'

test('three lines install our own agent, one address all others', () => {
  const site = 'https://rollcall.example.org'
  expect(installLines('linux', site, 'rce_1').map(({ text }) => text)).toEqual([
    'curl -fsS "https://rollcall.example.org/agent/download/linux-$(uname -m)" | sudo tar -xz -C /opt',
    'sudo /opt/rollcall-agent/rollcall-agent enrol https://rollcall.example.org rce_1',
    'sudo /opt/rollcall-agent/rollcall-agent install',
  ])
  expect(installLines('node', site, 'rce_1')[0]?.text).toContain('/agent/download/any"')
  expect(installLines('windows', site, 'rce_1').map(({ text }) => text)).toEqual([
    'curl.exe -fsSo "$env:TEMP\\agent.tgz" "https://rollcall.example.org/agent/download/any"; tar.exe -xzf "$env:TEMP\\agent.tgz" -C "$env:ProgramFiles"',
    'node "$env:ProgramFiles\\rollcall-agent\\lib\\bin\\rollcall-agent.mjs" install',
    'node "$env:ProgramFiles\\rollcall-agent\\lib\\bin\\rollcall-agent.mjs" enrol https://rollcall.example.org rce_1',
  ])
  expect(installLines('other', site, 'rce_1').map(({ text }) => text)).toEqual([`${site}/t/rce_1`])
})

test.each([
  ['https://rollcall.example.org', false],
  ['http://localhost:8080', false],
  ['http://127.0.0.1:8080', false],
  ['http://rollcall.example.org', true],
])('%s', (address, isNeeded) => {
  expect(needsHttps(new URL(address))).toBe(isNeeded)
})
