import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ELEMENT_LENGTH_MAX, ELEMENT_TAGS_MAX, TAG_LENGTH_MAX, xmlElements } from './xml-elements.ts'

/** Each piece as one readable line. */
async function pieces(xml: string | Buffer, chunkSize = 5): Promise<string[]> {
  const bytes = Buffer.from(xml)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const found: string[] = []
  for await (const piece of xmlElements(chunks(), { name: 'host' })) {
    found.push(
      `${piece.line} ${piece.piece} ${piece.piece === 'fault' ? `${piece.field} ${piece.why}` : piece.text}`,
    )
  }
  return found
}
const CUT_OFF = 'before </run>: it was cut off, and what followed is missing'

test.each([
  [
    'elements among other things',
    '<?xml version="1.0"?>\n<!DOCTYPE run>\n<!-- <host>no</host> -->\n<run a=">">\n<hosthint><x/></hosthint>\n<host>\n1</host><host b="2"><c/></host>\n</run>\n',
    ['4 root <run a=">">', '6 element <host>\n1</host>', '7 element <host b="2"><c/></host>'],
  ],
  ['an empty element', '<run><host/></run>', ['1 root <run>', '1 element <host/>']],
  [
    'character data that looks like one',
    '<run><![CDATA[<host>]]><host></host></run>',
    ['1 root <run>', '1 element <host></host>'],
  ],
  ['no element', '<run/>', ['1 root <run/>']],
  [
    'two runs in one file',
    '<run></run>\n<run><host/></run>',
    ['1 root <run>', '2 root <run>', '2 element <host/>'],
  ],
  [
    'an end that is missing',
    '<run>\n<host/>\n',
    ['1 root <run>', '2 element <host/>', `3 fault run the file ends ${CUT_OFF}`],
  ],
  [
    'an element that is cut off',
    '<run>\n<host/>\n<host><x>\n</x>',
    ['1 root <run>', '2 element <host/>', `3 fault run the file ends within <host> ${CUT_OFF}`],
  ],
  [
    'a tag that is cut off',
    '<run><runst',
    ['1 root <run>', `1 fault run the file ends within <runst> ${CUT_OFF}`],
  ],
])('%s', async (_, xml, expected) => {
  expect(await pieces(xml)).toEqual(expected)
})

test.each([
  ['text', 'name,os\na,b\n', 'is not XML'],
  ['nothing', ' \n', 'is not XML'],
  ['comments only', '<!-- a -->', 'is not XML'],
  ['entities', '<!DOCTYPE run [<!ENTITY a "b">]><run>&a;</run>', 'document type declares entities'],
  [
    'an external entity',
    '<!DOCTYPE run [<!ENTITY a SYSTEM "file:///etc/hostname">]><run/>',
    'document type declares entities',
  ],
])('%s is refused', async (_, xml, why) => {
  await expect(pieces(xml)).rejects.toThrow(why)
})

test('a document type elsewhere is never fetched, only passed over', async () => {
  expect(await pieces('<!DOCTYPE run SYSTEM "http://192.0.2.1/x.dtd"><run/>')).toEqual(['1 root <run/>'])
})

describe('bounds', () => {
  const lines = ELEMENT_LENGTH_MAX / 2 + 100_000
  const long = 'x\n'.repeat(lines)

  test('an element that is too long is one fault, and the next one is read', async () => {
    expect(await pieces(`<run>\n<host>${long}</host>\n<host/></run>`, 65_536)).toEqual([
      '1 root <run>',
      `2 fault host is longer than ${ELEMENT_LENGTH_MAX} characters`,
      `${lines + 3} element <host/>`,
    ])
  })

  test('any other endless thing ends the reading, and refuses the file when it begins it', async () => {
    const why = `what begins here is longer than ${ELEMENT_LENGTH_MAX} characters; what follows is missing`
    expect(await pieces(`<run>\n<host/>\n<!-- ${long} --><host/>`, 65_536)).toEqual([
      '1 root <run>',
      '2 element <host/>',
      `3 fault run ${why}`,
    ])
    await expect(pieces(`<!-- ${long}`, 65_536)).rejects.toThrow(
      'file: line 1: what begins here is longer than',
    )
  })

  test('issue 9: an attribute that is not closed is named before it is long, and is not held', async () => {
    const why = `has a tag of more than ${TAG_LENGTH_MAX} characters; is a quote of an attribute not closed?`
    const open = 'x'.repeat(TAG_LENGTH_MAX + 65_536)
    await expect(pieces(`<run a="${open}`, 65_536)).rejects.toThrow(`file: line 1: what begins here ${why}`)
    expect(await pieces(`<run>\n<host/>\n<host a="${open}`, 65_536)).toEqual([
      '1 root <run>',
      '2 element <host/>',
      `3 fault run what begins here ${why}; what follows is missing`,
    ])
    expect(await pieces(`<run>\n<host>\n</host a="${open}${open}${open}"><host/></run>`, 65_536)).toEqual([
      '1 root <run>',
      `2 fault host ${why}`,
      '3 element <host/>',
    ])
  })

  test('issue 9: an element of too many tags is not parsed', async () => {
    const many = '<a/>'.repeat(ELEMENT_TAGS_MAX)
    expect(await pieces(`<run>\n<host>${many}</host><host/></run>`, 65_536)).toEqual([
      '1 root <run>',
      `2 fault host has more than ${ELEMENT_TAGS_MAX} tags`,
      '2 element <host/>',
    ])
  })
})

test('entities declared by a second document end the reading', async () => {
  expect(await pieces('<run><host/></run>\n<!DOCTYPE run [<!ENTITY a "b">]><run><host/></run>')).toEqual([
    '1 root <run>',
    '1 element <host/>',
    '2 fault run the document type declares entities; such XML is not read; what follows is missing',
  ])
})

test('chunks do not matter', async () => {
  const part = fc.constantFrom(
    '<host>',
    '</host>',
    '<host/>',
    '<!--',
    '-->',
    '<a b=">">',
    '\n',
    'é',
    '"',
    '<',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 20 }), async (parts, chunkSize) => {
      const xml = `<run>${parts.join('')}</run>`
      expect(await pieces(xml, chunkSize)).toEqual(await pieces(xml, 100_000))
    }),
  )
})
