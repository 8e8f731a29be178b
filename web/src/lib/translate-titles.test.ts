import { expect, test } from 'vitest'
import { translateTitles } from './translate-titles.ts'

const catalogue = {
  'Telnet is switched off': 'Telnet ist abgeschaltet',
  '{0}: {1}.': '{0}: {1}.',
  '{0} of {1} assets {2}': '{0} von {1} Assets: {2}',
  '{0}; for {1} it is not known': '{0}; für {1} ist es nicht bekannt',
  '{0} others': '{0} weitere',
  ', {0} of them under an exception': ', davon {0} mit Ausnahme',
  ', all of them under an exception': ', alle mit Ausnahme',
  fail: 'nicht erfüllt',
  '{0} | {1}': '{0} | {1}',
  'Least Privilege': 'Geringste Rechte',
}
const translate = (title: string): string => translateTitles({ title }, [catalogue]).title

test.each([
  ['Telnet is switched off', 'Telnet ist abgeschaltet'],
  [
    'Telnet is switched off: 5 of 319 assets fail.',
    'Telnet ist abgeschaltet: 5 von 319 Assets: nicht erfüllt.',
  ],
  [
    'Telnet is switched off: 5 of 319 assets fail, 1 of them under an exception; for 84 others it is not known.',
    'Telnet ist abgeschaltet: 5 von 319 Assets: nicht erfüllt, davon 1 mit Ausnahme; für 84 weitere ist es nicht bekannt.',
  ],
  [
    'Telnet is switched off: 5 of 9 assets fail, all of them under an exception.',
    'Telnet ist abgeschaltet: 5 von 9 Assets: nicht erfüllt, alle mit Ausnahme.',
  ],
  ['Least Privilege | Our own', 'Geringste Rechte | Our own'],
  ['Our own check', 'Our own check'],
  ['toString', 'toString'],
])('%s', (english, german) => {
  expect(translate(english)).toBe(german)
})

const results = {
  '{0} addresses, {1} live': '{0} Adressen, {1} aktiv',
  ', {0} logged in': ', {0} angemeldet',
  ', {0} refused': ', {0} abgelehnt',
  'the sweep: {0}; {1}': 'der Sweep: {0}; {1}',
  '{0}; {1}': '{0}; {1}',
}

test.each([
  ['254 addresses, 37 live, 12 logged in, 3 refused', '254 Adressen, 37 aktiv, 12 angemeldet, 3 abgelehnt'],
  ['the sweep: no time; 254 addresses, 37 live', 'der Sweep: no time; 254 Adressen, 37 aktiv'],
])('the result %s', (english, german) => {
  expect(translateTitles({ message: english }, [results])).toEqual({ message: german })
})

test('what warns of a way of signing in is a sentence of the server', () => {
  const warns = {
    '{0} must reach the address of this server': '{0} muss die Adresse dieses Servers erreichen',
  }
  expect(translateTitles({ warning: 'AWS must reach the address of this server' }, [warns])).toEqual({
    warning: 'AWS muss die Adresse dieses Servers erreichen',
  })
})

test('the last failure of a channel or feed is a sentence of the server', () => {
  const sends = { 'this server sends no mail': 'dieser Server sendet keine E-Mail' }
  const channel = { name: 'Operations', lastError: 'this server sends no mail' }
  expect(translateTitles(channel, [sends])).toEqual({
    name: 'Operations',
    lastError: 'dieser Server sendet keine E-Mail',
  })
})

test('only what the server names is translated, never what people wrote', () => {
  const answer = {
    checks: [{ title: 'Telnet is switched off', name: 'fail', why: ['fail'], at: null, n: 1 }],
    definition: { title: 'fail' },
  }
  expect(translateTitles(answer, [catalogue, { b: 'c' }])).toEqual({
    checks: [{ title: 'Telnet ist abgeschaltet', name: 'fail', why: ['nicht erfüllt'], at: null, n: 1 }],
    definition: { title: 'fail' },
  })
})

test('why a webhook was disabled is a sentence of the server, and what was sent stays as it was', () => {
  const reasons = { 'no success in {0} days': 'seit {0} Tagen kein Erfolg', manual: 'von Hand' }
  const delivery = { disabledReason: 'no success in 3 days', payload: { source: 'manual' } }
  expect(translateTitles(delivery, [reasons])).toEqual({
    disabledReason: 'seit 3 Tagen kein Erfolg',
    payload: { source: 'manual' },
  })
})

test.each([
  ['steps[0].with.tags: must be a list', 'steps[0].with.tags: muss eine Liste sein'],
  ['rate: more than 60 runs a minute', 'Häufigkeit: mehr als 60 Läufe in einer Minute'],
  ['steps[1]: answered with 503, 3 times', 'steps[1]: geantwortet wurde mit 503, 3-mal'],
  ['stopped: until Monday', 'stopped: until Monday'],
])('why a run ended, %s, and what a step was given stays', (english, german) => {
  const sentences = {
    'must be a list': 'muss eine Liste sein',
    'rate: more than {0} runs a minute': 'Häufigkeit: mehr als {0} Läufe in einer Minute',
    'answered with {0}': 'geantwortet wurde mit {0}',
    '{0}, {1} times': '{0}, {1}-mal',
  }
  const run = { reason: english, steps: [{ fault: english, input: { reason: 'must be a list' } }] }
  expect(translateTitles(run, [sentences])).toEqual({
    reason: german,
    steps: [{ fault: german, input: { reason: 'must be a list' } }],
  })
})

const rows = {
  'is not a date; write it like {0}': 'ist kein Datum; schreiben Sie es wie {0}',
  'is not an IPv4 or IPv6 address': 'ist keine IPv4- oder IPv6-Adresse',
  ' (also wrong: {0})': ' (auch falsch: {0})',
}

test.each([
  [
    'is not a date; write it like 2026-03-31: "not \\"now\\""',
    'ist kein Datum; schreiben Sie es wie 2026-03-31: "not \\"now\\""',
  ],
  [
    'is not an IPv4 or IPv6 address: "10.0.0.999" (also wrong: os)',
    'ist keine IPv4- oder IPv6-Adresse: "10.0.0.999" (auch falsch: os)',
  ],
  ['is odd: "is not an IPv4 or IPv6 address"', 'is odd: "is not an IPv4 or IPv6 address"'],
])('why a row is left out: %s', (english, german) => {
  expect(translateTitles({ message: english }, [results, rows])).toEqual({ message: german })
})
