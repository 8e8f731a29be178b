import { expect, test } from 'vitest'
import { runChaos } from '../bench/chaos/chaos.ts'

const TIMEOUT_MS = 240_000

test(
  'workers killed, stopped and frozen, and a database that crashes, lose nothing and repeat little',
  { timeout: TIMEOUT_MS },
  async () => {
    const report = await runChaos({
      deliveries: 3_000,
      workers: 3,
      plan: ['kill -9', 'database stop', 'SIGSTOP', 'SIGTERM'],
      again: ['kill -9', 'database stop', 'SIGTERM'],
      frozenSeconds: 3,
      brokenSeconds: 1,
      diskMegabytes: 1_024,
      waitSeconds: 0.3,
    })
    expect(report).toMatchObject({ deliveries: expect.any(Number), lost: 0, overTen: 0 })
    expect(report.deliveries).toBeGreaterThanOrEqual(3_000)
    expect(report.deadLetters).toBeGreaterThan(0)
    expect(report.recoveryMs['kill -9'].length).toBeGreaterThan(0)
    // One per cent is the rule of the long run; here one crash weighs fifty times as much.
    expect(report.duplicates).toBeLessThan(report.deliveries * 0.1)
  },
)

test(
  'networks that are cut, slow, reset or silent, clocks an hour off, and a disk that is full lose nothing',
  { timeout: TIMEOUT_MS },
  async () => {
    const report = await runChaos({
      deliveries: 2_000,
      workers: 2,
      plan: [
        ...(['cut', 'slow', 'reset', 'half-open'] as const).flatMap(
          (it) => [`database ${it}`, `receiver ${it}`] as const,
        ),
        'database unheard',
        'clock +1 h',
        'clock -1 h',
        'disk full',
      ],
      again: [],
      frozenSeconds: 1,
      brokenSeconds: 1,
      diskMegabytes: 1_024,
      waitSeconds: 0.5,
    })
    expect(report).toMatchObject({ lost: 0, overTen: 0 })
    expect(report.deliveries).toBeGreaterThanOrEqual(2_000)
    const {
      'kill -9': _,
      SIGTERM,
      SIGSTOP,
      'database stop': stop,
      'disk full': disk,
      ...others
    } = report.recoveryMs
    expect([SIGTERM, SIGSTOP, stop]).toEqual([[], [], []])
    for (const [fault, times] of Object.entries(others))
      expect([fault, times.length > 0]).toEqual([fault, true])
    expect(disk.length > 0).toBe(process.getuid?.() === 0)
  },
)
