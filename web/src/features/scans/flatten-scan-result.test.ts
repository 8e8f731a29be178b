import { expect, test } from 'vitest'
import { flattenScanResult } from './flatten-scan-result.ts'

test('what was read becomes lines: plain lists in one, things numbered, empty ones left out', () => {
  const read = {
    name: 'srv',
    os: '',
    tags: ['a', 'b'],
    identifiers: [
      { type: 'ip', value: '10.0.0.1' },
      { type: 'mac', value: '00:11:22:33:44:55' },
    ],
    facts: { memory: { bytes: 1024 }, disks: [{ name: 'sda', parts: [{ name: 'sda1' }] }], none: null },
  }
  expect(flattenScanResult(read)).toEqual([
    { path: 'name', value: 'srv' },
    { path: 'tags', value: 'a, b' },
    { path: 'identifiers 1', value: 'ip · 10.0.0.1' },
    { path: 'identifiers 2', value: 'mac · 00:11:22:33:44:55' },
    { path: 'facts › memory › bytes', value: '1024' },
    { path: 'facts › disks 1 › name', value: 'sda' },
    { path: 'facts › disks 1 › parts 1', value: 'sda1' },
  ])
})

test('long lists are cut, and say so', () => {
  const rows = flattenScanResult({ items: Array.from({ length: 200 }, (_, n) => ({ n: n + 1 })) })
  expect(rows).toHaveLength(51)
  expect(rows.at(-1)).toEqual({ path: 'items', value: 'and 150 more' })
})

test('nothing is nothing', () => {
  expect(flattenScanResult(null)).toEqual([])
})
