import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { openEcho, readFping, readPing } from './icmp-echo.ts'
import { RateLimiter } from './packet-rate-limit.ts'

test('reads what fping and ping print', () => {
  expect([
    ...readFping('192.0.2.1 (0.048 ms)\n2001:db8::1 (12 ms)\nICMP Host Unreachable from 192.0.2.9\n'),
  ]).toEqual([
    ['192.0.2.1', 0.048],
    ['2001:db8::1', 12],
  ])
  expect(readPing('64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.032 ms\n')).toBe(0.032)
  expect(readPing('64 bytes from 192.0.2.1: seq=0 ttl=64\n')).toBe(0)
})

needs('root', 'fping')('ICMP echo', () => {
  test('is answered by what lives', async () => {
    const { signal } = new AbortController()
    const echo = await openEcho({
      rateLimiter: new RateLimiter({ perSecond: 1000, burst: 10 }),
      signal,
      addresses: 2,
    })
    expect(await Promise.all([echo?.('127.0.0.1'), echo?.('127.0.0.2')])).toEqual([
      expect.any(Number),
      expect.any(Number),
    ])
  })

  test('is left out where programs have a capability that this process may not have', async () => {
    const script = `const { echoProgram } = await import('${import.meta.dirname}/icmp-echo.ts')
      console.log(await echoProgram(AbortSignal.timeout(9_000)))`
    const words = ['--bounding-set=-net_raw', '--inh-caps=-net_raw', process.execPath, '--eval', script]
    const { stdout } = await promisify(execFile)('setpriv', words)
    expect(stdout).toBe('undefined\n')
  })
})
