import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { ConditionError } from './condition-error.ts'
import { vocabularyWith } from './conditions.fixture.ts'
import { parseCondition } from './parse.ts'

const vocabulary = vocabularyWith([])

const faultOf = (text: string): ConditionError | undefined => {
  try {
    parseCondition(text, vocabulary)
  } catch (error) {
    if (error instanceof ConditionError) return error
    throw error
  }
  return undefined
}

test.each([
  ['', 0, /expected a field/],
  ['   ', 3, /expected a field/],
  ['os = ""', 5, /not has os/],
  ['os = "  "', 5, /not has os/],
  ['type =', 6, /expected a text/],
  ['type ? 3', 5, /after type/],
  ['nofield = 1', 0, /no field nofield/],
  ['onwer = zoë', 0, /did you mean owner/],
  ['os < 3', 3, /os takes = != :/],
  ['risk = high', 7, /a number/],
  ['risk = 1e5', 7, /a number/],
  ['risk : 3', 5, /risk takes/],
  ['(type = device', 14, /expected "\)"/],
  ['type = device)', 13, /"and", "or" or the end/],
  ['any nothing (a = 1)', 4, /one of: finding, software/],
  ['any finding severity = high', 12, /expected "\("/],
  ['any finding (owner = x)', 13, /no field owner/],
  ['any finding (word)', 13, /no field word/],
  ['any finding (any software (name = x))', 17, /no collections here/],
  ['count finding (kev = yes)', 25, /expected = !=/],
  ['count finding (kev = yes) > 1.5', 28, /whole number/],
  ['last_seen > soon', 12, /-30d/],
  ['last_seen > 2026-02-30', 12, /a day/],
  ['last_seen > 0000-01-01', 12, /a day/],
  ['last_seen > -9999999y', 12, /a day/],
  ['disk_encrypted = maybe', 17, /yes or no/],
  ['type in device', 8, /expected "\("/],
  ['type in ()', 9, /expected a text/],
  ['type in (a b)', 11, /expected "," or/],
  ['ip = 10.0.0.0/33', 5, /a network/],
  ['ip = 10.0.0', 5, /a network/],
  ['ip = fe80::1%eth0', 5, /a network/],
  ['not', 3, /expected a field/],
  ['has', 3, /expected a field/],
  ['has nothing', 4, /no field nothing/],
  ['or', 0, /put "or" in quotes/],
  ['type = device and', 17, /expected a field/],
  ['type = device or or type = x', 17, /put "or"/],
  ['owner = "Zoë', 8, /never closed/],
  ['owner = $me', 8, /no parameter \$me/],
  ['owner = $constructor', 8, /no parameter/],
  ['owner = "a\u0000b"', 8, /a text/],
  ['owner', 5, /quotes to search/],
  ['x'.repeat(5_000), 4_096, /4096 characters/],
  ['('.repeat(40), 32, /32 levels/],
  [`${'not '.repeat(40)} type = x`, 127, /32 levels/],
  [Array.from({ length: 101 }, () => 'a').join(' '), 200, /100 terms/],
  [`port in (${Array.from({ length: 501 }, () => '1').join(',')})`, 1_009, /500 values/],
])('refuses %j at %i', (text, position, message) => {
  const fault = faultOf(text)
  expect(fault?.message).toMatch(message)
  expect(fault?.position).toBe(position)
})

test.each([
  'type = device',
  'type=device',
  'TYPE = Device OR Not has owner',
  '(type = device) (os : windows)',
  'last_seen > 2026-03-31T10:00:00Z',
  'last_seen > 2026-03-31T10:00:00+02:00',
  'ip : fe80::/10',
  'ip in (10.0.0.0/8, fe80::1)',
  'owner = "say \\"hi\\" (now), please"',
  'db-1.example.com',
  '"two words"',
  'aa:bb:cc:dd:ee:ff',
  'fe80::1',
  'count finding (severity = high) >= 3',
  'any software (product = x)',
  'os : "or"',
])('reads %j', (text) => {
  expect(faultOf(text)?.message).toBeUndefined()
})

test('a parameter is read as if it stood there, and never as more than one value', () => {
  const parameters = { me: 'zoë") or (type = device', days: '-30d' }
  expect(parseCondition('owner = $me', vocabulary, { parameters })).toMatchObject({
    kind: 'compare',
    value: { type: 'text', normalized: 'zoë") or (type = device' },
  })
  expect(parseCondition('last_seen > $days', vocabulary, { parameters })).toMatchObject({
    value: { type: 'span' },
  })
})

test('every term knows where it stands', () => {
  const text = 'type = device and not (has owner or any finding (kev = yes))'
  const spans: string[] = []
  JSON.stringify(parseCondition(text, vocabulary), (name, node: unknown) => {
    if (typeof node === 'object' && node !== null && 'from' in node && 'to' in node) {
      spans.push(text.slice(Number(node.from), Number(node.to)))
    }
    return name === 'field' || name === 'collection' ? undefined : node
  })
  expect(spans).toEqual([
    'type = device and not (has owner or any finding (kev = yes)',
    'type = device',
    'not (has owner or any finding (kev = yes)',
    'has owner or any finding (kev = yes)',
    'has owner',
    'any finding (kev = yes)',
    'kev = yes',
  ])
})

sharedData('compliance', 'worked conditions', (folder) => {
  test('what must be refused is refused', () => {
    const { refused } = JSON.parse(readFileSync(`${folder}/condition-vectors.json`, 'utf8')) as {
      refused: string[]
    }
    const texts = refused.map((it) => (it === '5000 characters' ? 'x'.repeat(5_000) : it))
    expect(texts.filter((text) => !faultOf(text))).toEqual([])
  })
})
