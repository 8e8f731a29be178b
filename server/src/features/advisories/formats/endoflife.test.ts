import { expect, test } from 'vitest'
import type { Lifecycle } from '../advisory.ts'
import { endoflife } from './endoflife.ts'

async function read(document: unknown, name = 'full'): Promise<Lifecycle[]> {
  async function* content() {
    yield Buffer.from(JSON.stringify(document))
  }
  const found: Lifecycle[] = []
  for await (const entry of endoflife.read({ name, content: content() }))
    if ('lifecycle' in entry) found.push(entry.lifecycle)
  return found
}

test('the API of today', async () => {
  const release = {
    name: '22.04',
    label: '22.04 LTS',
    isLts: true,
    isEol: false,
    eolFrom: '2027-04-21',
    eoasFrom: '2032-04-21',
    latest: { name: '22.04.5' },
  }
  expect(
    await read({
      result: [
        {
          name: 'ubuntu',
          label: 'Ubuntu',
          identifiers: [{ type: 'cpe', id: 'cpe:2.3:o:canonical:ubuntu_linux' }],
          releases: [release],
        },
      ],
    }),
  ).toEqual([
    {
      product: 'ubuntu',
      label: 'Ubuntu',
      identifiers: [{ kind: 'cpe', id: 'cpe:2.3:o:canonical:ubuntu_linux' }],
      releases: [
        {
          cycle: '22.04',
          label: '22.04 LTS',
          endsOn: '2027-04-21',
          extendedUntil: '2032-04-21',
          latest: '22.04.5',
          isLongTerm: true,
        },
      ],
    },
  ])
})

test.each([
  [
    { releaseCycle: '7', eol: false },
    { cycle: '7', isEnded: false },
  ],
  [
    { releaseCycle: '5', eol: true },
    { cycle: '5', isEnded: true },
  ],
  [
    { releaseCycle: '6', eol: '2023-02-20', lts: true },
    { cycle: '6', endsOn: '2023-02-20', isLongTerm: true },
  ],
  [
    { cycle: 3.12, eol: '2028-10-31' },
    { cycle: '3.12', endsOn: '2028-10-31' },
  ],
])('an end is a date or a fact: %o', async (release, expected) => {
  expect(await read({ products: [{ name: 'x', releases: [release] }] })).toMatchObject([
    { releases: [expected] },
  ])
})

test('the older list of one product is named by its file', async () => {
  expect(await read([{ cycle: '3.12', eol: '2028-10-31' }], 'api/python.json')).toMatchObject([
    { product: 'python' },
  ])
})
