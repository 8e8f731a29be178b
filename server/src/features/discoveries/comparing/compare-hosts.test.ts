import { expect, test } from 'vitest'
import { compareHosts } from './compare-hosts.ts'

type Host = Parameters<typeof compareHosts>[0][number]

/** `a@10.0.0.1 22,80`: asset, address, open ports; `-` for no asset. */
const host = (text: string): Host => {
  const [who = '', ports = ''] = text.split(' ')
  const [asset = '', address = ''] = who.split('@')
  return {
    address,
    assetId: asset === '-' ? null : asset,
    seen: { ports: ports === '' ? [] : ports.split(',').map(Number) },
    outcome: 'logged_in',
  }
}

test.each<[string, { before: string[]; now: string[]; changes: string[]; gone?: string[] }]>([
  ['nothing changed', { before: ['a@10.0.0.1 22'], now: ['a@10.0.0.1 22'], changes: ['unchanged'] }],
  ['a port more', { before: ['a@10.0.0.1 22'], now: ['a@10.0.0.1 22,80'], changes: ['changed ports'] }],
  [
    'two addresses of one',
    {
      before: ['a@10.0.0.1 22', 'a@10.0.0.2 80'],
      now: ['a@10.0.0.1 22', 'a@10.0.0.2 80'],
      changes: ['unchanged', 'unchanged'],
    },
  ],
  [
    'one of two addresses is new',
    { before: ['a@10.0.0.1'], now: ['a@10.0.0.1', 'a@10.0.0.2'], changes: ['unchanged', 'new'] },
  ],
  [
    'one of two addresses is gone',
    { before: ['a@10.0.0.1', 'a@10.0.0.2'], now: ['a@10.0.0.2'], changes: ['unchanged'], gone: ['10.0.0.1'] },
  ],
  ['moved', { before: ['a@10.0.0.1'], now: ['a@10.0.0.9'], changes: ['changed address'] }],
  [
    'swapped',
    {
      before: ['a@10.0.0.1', 'b@10.0.0.2'],
      now: ['b@10.0.0.1', 'a@10.0.0.2'],
      changes: ['changed address', 'changed address'],
    },
  ],
  ['another one at the address', { before: ['a@10.0.0.1'], now: ['b@10.0.0.1'], changes: ['new'] }],
  ['without an asset', { before: ['-@10.0.0.1'], now: ['-@10.0.0.1'], changes: ['unchanged'] }],
  ['got an asset since', { before: ['-@10.0.0.1'], now: ['a@10.0.0.1'], changes: ['unchanged'] }],
  ['gone', { before: ['a@10.0.0.1'], now: [], changes: [], gone: ['10.0.0.1'] }],
  [
    'moved, and another one took its address',
    { before: ['a@10.0.0.1'], now: ['b@10.0.0.1', 'a@10.0.0.2'], changes: ['new', 'changed address'] },
  ],
])('%s', (_, { before, now, changes, gone = [] }) => {
  const found = compareHosts(before.map(host), now.map(host))
  expect(found.changes.map(({ change, changedFields }) => [change, ...changedFields].join(' '))).toEqual(
    changes,
  )
  expect(found.gone).toEqual(gone)
})
