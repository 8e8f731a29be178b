import { describe, expect, test } from 'vitest'
import {
  filledSettings,
  parseTemplate,
  PATH_IN_LIST,
  renderTemplate,
  secretsIn,
  valueAtPath,
} from './template.ts'

const scope = {
  event: {
    asset_name: ' Print-1 ',
    ids: ['a', 'b', 'c'],
    mixed: [1, { x: 2 }],
    none: [],
    n: 3,
    no: false,
    nothing: null,
    empty: '',
    at: '2026-03-14T09:26:53Z',
    inner: { deep: 'found' },
  },
  steps: { ticket: { status: 201 } },
}

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['{{event.n}}', '3'],
  ['<{{ event.n }}|{{event.no}}>', '<3|false>'],
  ['a {{steps.ticket.status}} b', 'a 201 b'],
  ['{{event.nothing}}{{event.missing}}{{event.n.deeper}}', ''],
  ['{{event.constructor}}{{event.asset_name.length}}', ''],
  ['{{event.inner}}', '{"deep":"found"}'],
  ['{{event.inner.deep}}', 'found'],
  ['{{event.asset_name | trim | upper}}', 'PRINT-1'],
  ['{{event.asset_name|lower}}', ' print-1 '],
  ['{{event.missing | default:"none at all"}}', 'none at all'],
  ['{{event.empty | default : other}}', 'other'],
  ['{{event.no | default:"x"}}', 'false'],
  ['{{event.inner | json}}', '{"deep":"found"}'],
  ['{{event.missing | json}}', 'null'],
  ['{{event.asset_name | trim | json}}', '"Print-1"'],
  ['{{event.asset_name | url}}', '%20Print-1%20'],
  ['{{event.at | date}}', '2026-03-14'],
  ['{{event.at | truncate:4}}', '2026'],
  ['{{event.at | truncate:many}}', ''],
  ['{{event.ids | join}}', 'a, b, c'],
  ['{{event.ids | join:"-"}}', 'a-b-c'],
  ['{{event.mixed | join}}', '1, {"x":2}'],
  ['{{event.n | join}}', '3'],
  ['{{event.ids | count}}', '3'],
  ['{{event.none | count}}', '0'],
  ['{{event.n | count}}', '0'],
])('%s becomes %j', (source, expected) => {
  expect(renderTemplate(source, scope)).toBe(expected)
})

test('what a value says is never read as a template again', () => {
  expect(renderTemplate('{{event.x}}', { event: { x: '{{event.y}}', y: 'secret' } })).toBe('{{event.y}}')
})

test.each([
  ['{{}}', 'is no path'],
  ['{{event..n}}', 'is no path'],
  ['{{1event}}', 'is no path'],
  ['{{process.env}}', 'process.env begins with none of'],
  ['{{event.n | shout}}', 'shout is none of the filters upper, lower,'],
  ['{{event.n | toString}}', 'is none of the filters'],
  ['{{event.n | default:"a" "b"}}', 'is none of the filters'],
])('%s is refused: %s', (source, message) => {
  expect(() => parseTemplate(source)).toThrow(message)
})

describe('settings', () => {
  test('are filled where they are templates: texts, lists and values of objects', () => {
    const settings = {
      text: '{{event.n}}',
      list: ['{{event.n}}', 7, ['{{event.n}}']],
      map: { 'x-{{event.n}}': '{{event.n}}', none: null },
      plain: '{{event.n}}',
      number: 4,
    }
    expect(filledSettings(['text', 'list', 'map', 'number', 'absent'], settings, scope)).toEqual({
      text: '3',
      list: ['3', 7, ['3']],
      map: { 'x-{{event.n}}': '3', none: null },
      plain: '{{event.n}}',
      number: 4,
    })
  })

  test('name the secrets that they ask for, each once', () => {
    const settings = { a: '{{secrets.one}} {{ secrets.two | url }}', b: ['{{secrets.one}}', '{{event.n}}'] }
    expect(secretsIn(settings)).toEqual(['one', 'two'])
    expect(secretsIn(undefined)).toEqual([])
  })
})

test('a value is found at its path, in what belongs to the object itself', () => {
  expect(valueAtPath('event.ids', scope)).toEqual(['a', 'b', 'c'])
  expect(valueAtPath('event.ids.1', scope)).toBe('b')
  expect(valueAtPath('event.toString', scope)).toBeUndefined()
})

test.each([
  ['event.ids', true],
  ['item', true],
  ['steps.found.items', true],
  ['asset.tags', true],
  ['secrets.x', false],
  ['events.ids', false],
  ['event.', false],
])('%s can be the path of a list: %s', (path, isPath) => {
  expect(PATH_IN_LIST.test(path)).toBe(isPath)
})
