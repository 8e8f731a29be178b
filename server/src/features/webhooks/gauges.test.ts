import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { createEndpoint } from './webhooks.ts'

test('what waits to be delivered, how late it is, and who delivers are told to Prometheus', async () => {
  const { runtime, newTenant, address } = await testApp()
  const ctx = await newTenant()
  const { url } = await receiver()
  await createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
  const event = { type: 'NEW_SOURCE' as const, payload: {} }
  await atomically(ctx, (ctx) => emit(ctx, [event, event]))
  await runtime.system.db.run(sql`
    update webhook_deliveries set run_at = run_at - interval '1 hour'`)
  const text = await (await fetch(`${await address()}/metrics`)).text()
  expect(text).toContain('rollcall_webhook_deliveries{state="pending"} 2\n')
  expect(text).toContain('rollcall_webhook_deliveries{state="failed"} 0\n')
  expect(text).toContain('rollcall_webhook_workers 0\n')
  const lag = /^rollcall_webhook_lag_seconds (\S+)$/m.exec(text)?.[1]
  expect(Number(lag)).toBeGreaterThan(3_599)
})
