import { expect, test } from 'vitest'
import { settingsFor, thisMachine } from './settings.ts'

const GB = 1024 ** 3
const valueOf = (name: string, memoryBytes: number, cpus = 2): string | undefined =>
  settingsFor({ memoryBytes, cpus })
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1)

test.each([
  ['shared_buffers', GB / 2, '128MB'],
  ['shared_buffers', 4 * GB, '1024MB'],
  ['shared_buffers', 64 * GB, '2048MB'],
  ['shared_buffers', GB / 16, '64MB'],
  ['effective_cache_size', 4 * GB, '2048MB'],
  ['work_mem', 4 * GB, '8MB'],
  ['work_mem', 64 * GB, '32MB'],
  ['maintenance_work_mem', 4 * GB, '256MB'],
])('%s on %d bytes is %s', (name, memoryBytes, expected) => {
  expect(valueOf(name, memoryBytes)).toBe(expected)
})

test('a single processor still gets a vacuum worker', () => {
  expect(valueOf('autovacuum_max_workers', GB, 1)).toBe('1')
  expect(valueOf('io_workers', GB, 1)).toBe('1')
})

test('this machine has some memory', () => {
  expect(thisMachine().memoryBytes).toBeGreaterThan(0)
})
