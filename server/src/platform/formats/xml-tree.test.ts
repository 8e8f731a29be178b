import { expect, test } from 'vitest'
import { attribute, elements, parseElement, textOf } from './xml-tree.ts'

test('attributes, text and children, one or several', () => {
  const host = parseElement(
    '<host a="1" b=""><port id="22"/><port id="80"><cpe>x</cpe></port><s><e>&lt;1&gt;</e></s><!-- c --></host>',
  )
  expect(attribute(host, 'a')).toBe('1')
  expect(attribute(host, 'b')).toBeUndefined()
  expect(attribute(host, 'port')).toBeUndefined()
  expect(elements(host, 'port').map((port) => attribute(port, 'id'))).toEqual(['22', '80'])
  expect(elements(host, 'port', 'cpe').map(textOf)).toEqual(['x'])
  expect(elements(host, 's', 'e').map(textOf)).toEqual(['<1>'])
  expect(elements(host, 'nothing', 'here')).toEqual([])
})

test.each([
  ['a&#xa;b&#10;c', 'a\nb\nc'],
  ['&amp;lt; &quot;&apos;', '&lt; "\''],
  ['&#x1F600;', '😀'],
  ['1&#50;3', '123'],
])('%s reads %j', (written, text) => {
  expect(textOf(parseElement(`<e>${written}</e>`))).toBe(text)
  expect(attribute(parseElement(`<e a="${written}"/>`), 'a')).toBe(text)
})

test.each([
  ['<e>&lol;</e>', 'refers to &lol;'],
  ['<e a="&file;"/>', 'refers to &file;'],
  ['<e>&#0;</e>', 'refers to &#0;'],
  ['<e>&#xd800;</e>', 'refers to &#xd800;'],
  ['<e>&#x110000;</e>', 'refers to &#x110000;'],
  ['<e>&constructor;</e>', 'refers to &constructor;'],
  ['<e>a & b</e>', /./],
  ['<e>&#;</e>', /./],
  ['<e>\0</e>', 'a character that XML does not allow'],
  ['<e><f></e>', 'Expected closing tag'],
  ['<e', 'Unclosed tag'],
  ['<e><__proto__ x="1"/></e>', 'Invalid name'],
  ['<e a="1" a="2"/>', 'repeated'],
  ['', 'Start tag expected'],
])('%s is refused', (text, why) => {
  expect(() => parseElement(text)).toThrow(why)
})

test('depth is bounded', () => {
  const depth = 10_000
  expect(() => parseElement('<e>'.repeat(depth) + '</e>'.repeat(depth))).toThrow('Maximum nested tags')
})
