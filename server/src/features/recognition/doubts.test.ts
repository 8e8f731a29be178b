import { expect, test } from 'vitest'
import { doubtsAbout } from './doubts.ts'
import { recognize } from './recognition.ts'

const JETDIRECT = 'HP ETHERNET MULTI-ENVIRONMENT,ROM none,JETDIRECT,JD149,EEPROM'

test.each([
  ['nothing', {}, ['nothing_said']],
  ['an address', { mac: '00:1b:54:aa:bb:cc' }, ['maker_only', 'names_and_addresses_only']],
  ['a single-purpose maker', { mac: '00:40:8c:12:34:56' }, ['names_and_addresses_only']],
  ['a belief', { vendor: 'Axis Communications' }, ['hint_only']],
  ['what it says of itself', { texts: [{ source: 'snmp_sysdescr', text: JETDIRECT }] }, []],
  [
    'what contradicts it',
    { mac: '00:40:8c:12:34:56', texts: [{ source: 'snmp_sysdescr', text: JETDIRECT }] },
    ['another_type'],
  ],
] as const)('what speaks against being sure: %s', (_, signals, expected) => {
  expect(doubtsAbout(recognize(signals))).toEqual(expected)
})
