import { expect, test } from 'vitest'
import { observationIn } from './read-message.ts'

test('a collector says neither of which asset nor of which network an observation is', () => {
  const told = {
    sourceKey: '10.0.0.5|',
    seenAt: '2026-01-01T00:00:00Z',
    os: 'Debian 12',
    identifiers: [{ type: 'ip', value: '10.0.0.5' }],
  }
  const more = { assetId: crypto.randomUUID(), scope: 'site:elsewhere', isTrusted: true }
  expect(observationIn({ ...told, ...more })).toEqual({ ...told, seenAt: new Date(told.seenAt) })
})
