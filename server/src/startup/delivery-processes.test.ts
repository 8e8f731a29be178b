import { expect, onTestFinished, test } from 'vitest'
import type { Log } from '#platform/observability/log.ts'
import { startDeliveryProcesses } from './delivery-processes.ts'

test('a process that cannot be started is told of, and the end does not wait for it', async () => {
  const { execPath } = process
  onTestFinished(() => void (process.execPath = execPath))
  process.execPath = '/nowhere/node'
  const told = Promise.withResolvers<unknown>()
  const log = { warn: told.resolve } as unknown as Log
  const processes = startDeliveryProcesses(1, 0, log)
  expect(await told.promise).toMatchObject({ err: { code: 'ENOENT' } })
  await processes.stop()
})
