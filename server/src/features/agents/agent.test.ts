import { describe, expect, test } from 'vitest'
import { silenceOf, stateOf, type Agent } from './agent.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-03-14T00:00:00Z')
const after = (hours: number) => new Date(START + hours * HOUR_MS)
const at = (hours: number) => after(hours).toISOString()

const agent = (more: Partial<Agent> = {}): Agent => ({
  id: 'a',
  kind: 'glpi',
  deviceId: 'pc-1',
  sourceKey: 'pc-1',
  name: 'pc-1',
  version: '1',
  address: '',
  tokenId: 't',
  tokenName: 'fleet',
  tokenEndedAt: null,
  assetId: null,
  revokedAt: null,
  isPending: false,
  firstSeenAt: at(0),
  lastContactAt: at(0),
  lastReportAt: at(0),
  problem: '',
  ...more,
})

describe('the state of an agent', () => {
  test.each<[string, Partial<Agent>, number, string]>([
    ['after its report', {}, 0, 'reporting'],
    ['within two intervals', {}, 48, 'reporting'],
    ['beyond two intervals', {}, 48.01, 'silent'],
    ['of osquery, within', { kind: 'osquery' }, 2, 'reporting'],
    ['of osquery, beyond', { kind: 'osquery' }, 2.01, 'silent'],
    ['of our own, within', { kind: 'agent' }, 0.5, 'reporting'],
    ['of our own, beyond', { kind: 'agent' }, 0.51, 'silent'],
    ['before its first report', { lastReportAt: null }, 48, 'waiting'],
    ['without a first report for long', { lastReportAt: null }, 49, 'silent'],
    ['that nobody approved', { isPending: true }, 0, 'pending'],
    ['that was revoked', { isPending: true, revokedAt: at(1) }, 0, 'revoked'],
  ])('%s', (_, more, hours, expected) => {
    expect(stateOf(agent(more), after(hours))).toBe(expected)
  })
})

test.each<[string, Partial<Agent>, number, string]>([
  ['it reports', {}, 1, ''],
  ['it reports, the latest was refused', { problem: 'too large' }, 1, 'too large'],
  ['it was revoked', { revokedAt: at(1) }, 1, `revoked at ${at(1)}`],
  ['it waits for approval', { isPending: true }, 1, 'enrolled, and waits for somebody to approve it'],
  ['its report was refused', { problem: 'too large' }, 99, 'its report was refused: too large'],
  ['its token ended', { tokenEndedAt: at(50) }, 99, `its token fleet ended at ${at(50)}`],
  ['its token ended just now', { tokenEndedAt: at(99) }, 99, `its token fleet ended at ${at(99)}`],
  ['its token ends later', { tokenEndedAt: at(100) }, 99, `not heard of since ${at(0)}`],
  [
    'our own needs no token any more',
    { kind: 'agent', tokenEndedAt: at(1) },
    99,
    `not heard of since ${at(0)}`,
  ],
  [
    'it asks and sends nothing',
    { lastContactAt: at(2) },
    99,
    `connected at ${at(2)} and sent no inventory since`,
  ],
  ['it never sent anything', { lastReportAt: null }, 1, `connected at ${at(0)} and sent no inventory since`],
])('why an agent is silent: %s', (_, more, hours, expected) => {
  expect(silenceOf(agent(more), after(hours))).toBe(expected)
})
