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
      frozenSeconds: 3,
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
