import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRow } from '#platform/formats/csv.ts'
import { csv } from './csv.ts'
import type { Reading, Rejection, Row } from './format.ts'

const now = new Date('2026-11-21T12:00:00Z')

async function read(file: string, ignoreUnknown = false): Promise<Reading[]> {
  const found: Reading[] = []
  const content = async function* () {
    yield Buffer.from(file)
  }
  for await (const some of csv.read(content(), { now, ignoreUnknown })) found.push(...some)
  return found
}

describe('the header', () => {
  test.each([
    ['IP Address,name', 'unknown columns: "IP Address" (did you mean ipAddress?); known are id, name'],
    ['Name,tags', '"Name" (did you mean name?)'],
    ['serial_number,hostname', '"serial_number" (did you mean serial?)'],
    [
      'mac,type,ip',
      '"mac" (did you mean macAddress?), "type" (did you mean assetType?), "ip" (did you mean ipAddress?)',
    ],
    ['name,colour,shape', 'unknown columns: "colour", "shape"; known'],
    ['name,', 'unknown columns: ""; known'],
    ['name,serial,name', 'name: stands twice in the header'],
    ['name\rpc1\rpc2', 'lone carriage returns'],
    ['PK\u0003\u0004\0', 'header: is not text in UTF-8'],
    ['"name', 'header: has a quote that is not closed'],
  ])('%j is refused before anything is taken', async (header, why) => {
    await expect(read(`${header}\n`)).rejects.toThrow(why)
  })

  test('unknown columns can be ignored, doubles among them too, but not all', async () => {
    const readings = await read('note,name,note,\n"=danger\n2",pc1,y,z\n', true)
    expect(readings).toEqual([{ line: 2, observation: expect.objectContaining({ sourceKey: 'name:pc1' }) }])
    await expect(read('note,cost\n', true)).rejects.toThrow('names none of the columns')
  })

  test('blank lines before it do not matter, but are counted', async () => {
    expect(await read('\n\nname\npc1\n')).toMatchObject([{ line: 4 }])
  })
})

describe('rows', () => {
  test('a bad row is one rejection that names its line, its first bad column and the others', async () => {
    const file = 'name,ipAddress,macAddress\nok,,\n"x,1",10.0.0.999,zz\n\nok too,10.0.0.1,\n'
    expect(await read(file)).toEqual([
      { line: 2, observation: expect.anything() },
      {
        line: 3,
        field: 'ipAddress',
        message: 'is not an IPv4 or IPv6 address: "10.0.0.999" (also wrong: macAddress)',
      },
      { line: 5, observation: expect.anything() },
    ])
  })

  test('faults of the form name the column when there is one', async () => {
    expect(await read('name,os\na,b,c\nx,"y"z\nv,"w"\n')).toMatchObject([
      { line: 2, field: 'row', message: 'has 3 cells where the header has 2' },
      { line: 3, field: 'os', message: 'has a quote in the wrong place; quote the whole cell' },
      { line: 4 },
    ])
  })

  test.each([
    ['name', '"a\u001b[2J"', 'name'],
    ['name', '"two\nlines"', 'name'],
    ['name,tags', 'a,b\u0007', 'tags'],
    ['name,hostname', 'a,b\u009b', 'hostname'],
  ])('issue 9: with a control character is rejected: %s %j', async (header, row, field) => {
    expect(await read(`${header}\n${row}\n`)).toMatchObject([{ line: 2, field }])
  })

  test.each([
    ['semicolons', 'name;os\na;b\n'],
    ['tabs', 'name\tos\na\tb\n'],
    ['bars', 'name|os\na|b\n'],
    ['a line that says so', 'sep=;\r\nname;os\r\na;b\r\n'],
    ['semicolons around commas in quotes', '"name";"os"\n"a";b\n'],
  ])('issue 9: separated by %s', async (_, file) => {
    expect(await read(file)).toMatchObject([{ observation: { name: 'a', os: 'b' } }])
  })

  test('a row of empty cells is no thing', async () => {
    expect(await read('name,os\n,\n , \n')).toMatchObject([
      { line: 2, field: 'name' },
      { line: 3, field: 'name' },
    ])
  })

  test('rows with one key stay apart, the same way every time', async () => {
    const file = 'serial,macAddress\nS1,00:1b:21:00:00:01\nS1,00:1b:21:00:00:02\nS1,00:1b:21:00:00:03\n'
    const keys = (readings: readonly Reading[]) => readings.map((each) => (each as Row).observation.sourceKey)
    expect(keys(await read(file))).toEqual(['serial:s1', 'serial#2:s1', 'serial#3:s1'])
    expect(await read(file)).toEqual(await read(file))
  })
})

const HEADER = ['id', 'name', 'assetType', 'ipAddress', 'macAddress', 'os', 'riskScore', 'lastSeen', 'tags']

test('what an export writes of an asset is what an import reads of it', async () => {
  const text = fc
    .string({ unit: fc.constantFrom('=', '+', '-', '@', ',', '"', 'a', 'é', ' '), maxLength: 20 })
    .map((value) => value.trim())
  const asset = fc.record({
    id: fc.uuid(),
    name: text,
    assetType: fc.constantFrom('device', 'ot_device', 'user'),
    ipAddress: fc.oneof(fc.constant(''), fc.ipV4()),
    os: text,
    riskScore: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
    lastSeen: fc.date({ noInvalidDate: true, min: new Date(0), max: now }),
    tags: fc.uniqueArray(fc.constantFrom('a', '=b', 'c d'), { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(asset, { selector: (each) => each.id }), async (assets) => {
      const line = (each: (typeof assets)[number]) =>
        csvRow([
          each.id,
          each.name,
          each.assetType,
          each.ipAddress,
          '',
          each.os,
          each.riskScore,
          each.lastSeen.toISOString(),
          each.tags.join(';'),
        ])
      const readings = await read(csvRow(HEADER) + assets.map(line).join(''))
      expect(readings.map((each) => (each as Rejection).message)).toEqual(assets.map(() => undefined))
      expect(readings.map((each) => (each as Row).observation)).toEqual(
        assets.map((each) => ({
          sourceKey: `asset:${each.id}`,
          assetId: each.id,
          seenAt: each.lastSeen,
          assetType: each.assetType,
          identifiers: each.ipAddress === '' ? [] : [{ type: 'ip', value: each.ipAddress }],
          ...(each.name !== '' && { name: each.name }),
          ...(each.os !== '' && { os: each.os }),
          ...(each.tags.length > 0 && { tags: each.tags }),
        })),
      )
    }),
  )
})
