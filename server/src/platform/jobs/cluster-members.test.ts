import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { addressInUse, announceNode } from './cluster-members.ts'

test('issue 9: the address in use is that of a running process that serves requests', async () => {
  const { system } = (await testApp()).runtime
  const worker = await announceNode(system, ['worker'])
  expect(await addressInUse(system)).toBeUndefined()
  const server = await announceNode(system, ['api'])
  await server.reachableAt('http://127.0.0.1:4711')
  expect(await addressInUse(system)).toBe('http://127.0.0.1:4711')
  await server.stop()
  expect(await addressInUse(system)).toBeUndefined()
  await worker.stop()
})
