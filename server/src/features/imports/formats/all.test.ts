import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#platform/errors.ts'
import { RECORD_BYTES_MAX } from '../parsing/csv-records.ts'
import { asUtf8 } from '../parsing/text-encoding.ts'
import { RECORD_BYTES_MAX as JSON_RECORD_BYTES_MAX } from '../parsing/json-records.ts'
import { ELEMENT_LENGTH_MAX } from '../parsing/xml-elements.ts'
import { formats } from './all.ts'
import type { Format, Reading, Row } from './format.ts'

/** What the conformance suite below needs to know of a format: a file of it, in parts. */
interface Sample {
  readonly before: string
  /** Whole rows, each of which is one observation. */
  readonly rows: readonly string[]
  readonly after: string
  /** A row in which `junk` stands as a value. */
  readonly rowWith: (junk: string) => string
  /** A value that is too large for one row. */
  readonly tooLong: number
}

const samples: Readonly<Record<Format['kind'], Sample>> = {
  csv: {
    before: 'name,ipAddress,macAddress,tags\r\n',
    rows: [
      'a,10.0.0.1,00:1b:21:00:00:01,x;y\r\n',
      '"\r\nb b",10.0.0.2,,\r\n',
      '"é, ""1""",,00:1b:21:00:00:03,\r\n',
    ],
    after: '',
    rowWith: (junk) => `${junk},10.0.0.9,,\r\n`,
    tooLong: RECORD_BYTES_MAX,
  },
  'nmap-xml': {
    before: '<?xml version="1.0"?>\n<!DOCTYPE nmaprun>\n<nmaprun scanner="nmap" start="1795218818">\n',
    rows: [
      '<host><status state="up"/>\n<address addr="10.0.0.1" addrtype="ipv4"/></host>\n',
      '<host endtime="1795218900"><status state="up"/><address addr="fe80::1" addrtype="ipv6"/>\n</host>',
      '<host><status state="up"/><address addr="10.0.0.3"/><hostnames><hostname name="é&lt;"/></hostnames></host>\n',
    ],
    after: '<runstats/>\n</nmaprun>\n',
    rowWith: (junk) =>
      `<host><status state="up"/><address addr="10.0.0.9"/><hostnames><hostname name="${junk}"/></hostnames></host>\n`,
    tooLong: ELEMENT_LENGTH_MAX,
  },
  'snipe-it': {
    before: '{"total":3,"rows":[',
    rows: [
      '{"id":1,"name":"a","asset_tag":"A1","serial":"S1"},\n',
      '{"id":2,"name":"","asset_tag":"A2",\n"serial":""},',
      '{"id":3,"name":"é","asset_tag":"A3","serial":"S3"}\n',
    ],
    after: ']}\n',
    rowWith: (junk) => `{"id":9,"name":"${junk}","asset_tag":"A9","serial":""},\n`,
    tooLong: JSON_RECORD_BYTES_MAX,
  },
  netbox: {
    before: '{"count":3,"next":null,"previous":null,"results":[',
    rows: [
      '{"id":1,"name":"a","device_type":{"model":"x"},"serial":"S1"},\n',
      '{"id":2,"name":null,"device_type":\n{"model":"x"}},',
      '{"id":3,"name":"é","vcpus":2.0,"cluster":{"name":"c"}}\n',
    ],
    after: ']}\n',
    rowWith: (junk) => `{"id":9,"name":"${junk}","device_type":{}},\n`,
    tooLong: JSON_RECORD_BYTES_MAX,
  },
  lansweeper: {
    before: 'AssetID,AssetName,IPAddress,Lastseen\r\n',
    rows: [
      '1,pc-1,10.0.0.1,2026-11-01 08:00:00\r\n',
      '2,"\r\nb b",10.0.0.2,\r\n',
      '3,"é, ""1""",,13/11/2026 08:00:00\r\n',
    ],
    after: '',
    rowWith: (junk) => `9,${junk},10.0.0.9,\r\n`,
    tooLong: RECORD_BYTES_MAX,
  },
  fleet: {
    before: '{"hosts":[',
    rows: [
      '{"id":1,"hostname":"a","hardware_serial":"S1"},\n',
      '{"id":2,"hostname":"b",\n"hardware_serial":"-1"},',
      '{"id":3,"hostname":"é","display_name":"é","hardware_serial":""}\n',
    ],
    after: ']}\n',
    rowWith: (junk) => `{"id":9,"hostname":"${junk}","hardware_serial":"S9"},\n`,
    tooLong: JSON_RECORD_BYTES_MAX,
  },
}

const terms = { now: new Date('2026-12-01T00:00:00Z'), ignoreUnknown: false }

async function* inChunks(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(format: Format, file: string | Buffer, chunkSize = 65_536): Promise<Reading[]> {
  const { content } = await asUtf8(inChunks(Buffer.from(file), chunkSize))
  const found: Reading[] = []
  for await (const some of format.read(content, terms)) found.push(...some)
  return found
}

const rowsOf = (readings: readonly Reading[]): Row[] => readings.filter((reading) => 'observation' in reading)
const keysOf = (readings: readonly Reading[]): string[] =>
  rowsOf(readings).map((row) => row.observation.sourceKey)
const lineOf = (file: string, part: string): number => file.slice(0, file.indexOf(part)).split('\n').length

test('a file is recognised by one format only, and every format has a sample', () => {
  expect(formats.map((format) => format.kind).toSorted()).toEqual(Object.keys(samples).toSorted())
  for (const { kind } of formats) {
    const taken = formats.filter((format) => format.recognises(samples[kind].before))
    expect(taken.map((format) => format.kind)).toEqual([kind])
  }
})

describe.each(formats)('$kind', (format) => {
  const { before, rows, after, rowWith, tooLong } = samples[format.kind]
  const good = before + rows.join('') + after

  test('good rows become observations, each with its line and a key of its own', async () => {
    const readings = await read(format, good)
    expect(readings.map((reading) => reading.line)).toEqual(rows.map((row) => lineOf(good, row)))
    expect(new Set(keysOf(readings)).size).toBe(rows.length)
  })

  test('the same file reads the same again, in chunks of any size, in UTF-8 or UTF-16', async () => {
    const readings = await read(format, good)
    expect(await read(format, good, 1)).toEqual(readings)
    expect(await read(format, `\ufeff${good}`, 5)).toEqual(readings)
    expect(await read(format, Buffer.from(`\ufeff${good}`, 'utf16le'), 5)).toEqual(readings)
    expect(await read(format, Buffer.from(`\ufeff${good}`, 'utf16le').swap16(), 5)).toEqual(readings)
  })

  test('an empty file is refused', async () => {
    await expect(read(format, '')).rejects.toThrow('file: is empty')
  })

  test('a file without rows is an import of nothing', async () => {
    expect(await read(format, before + after)).toEqual([])
  })

  test('a row cut off at any place costs that row, not those before it', async () => {
    const whole = keysOf(await read(format, good))
    const lastRow = before.length + rows.slice(0, -1).join('').length
    for (let end = lastRow; end < good.length; end++) {
      const keys = keysOf(await read(format, good.slice(0, end)))
      expect(keys.slice(0, rows.length - 1)).toEqual(whole.slice(0, rows.length - 1))
    }
  })

  test('bytes that are not UTF-8 cost their row', async () => {
    const file = Buffer.from(before + rows[0] + rowWith('~') + rows[2] + after)
    file[file.indexOf('~')] = 0xff
    const readings = await read(format, file)
    expect(readings.map((reading) => 'observation' in reading)).toEqual([true, false, true])
    expect(readings[1]).toMatchObject({ message: expect.stringContaining('UTF-8') })
  })

  test('a NUL costs its row', async () => {
    const readings = await read(format, before + rows[0] + rowWith('a\0b') + rows[2] + after)
    expect(readings.map((reading) => 'observation' in reading)).toEqual([true, false, true])
  })

  test('a row that is too long costs itself', async () => {
    const readings = await read(format, before + rows[0] + rowWith('x'.repeat(2 * tooLong)) + rows[2] + after)
    expect(readings.map((reading) => 'observation' in reading)).toEqual([true, false, true])
    expect(readings[1]).toMatchObject({ message: expect.stringContaining('is longer than') })
  })

  test('bytes of any kind are read or refused, and never anything else', async () => {
    const noise = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(fc.nat(good.length), fc.string(), fc.nat(20)).map(([at, text, less]) => {
        return Buffer.from(good.slice(0, at) + text + good.slice(at + less))
      }),
    )
    await fc.assert(
      fc.asyncProperty(noise, async (file) => {
        const outcome = await read(format, file, 64).catch((error: unknown) => error)
        expect(Array.isArray(outcome) || outcome instanceof Refusal).toBe(true)
      }),
    )
  })

  test('a file of another format is refused', async () => {
    for (const other of formats.filter((each) => each !== format)) {
      const sample = samples[other.kind]
      await expect(read(format, sample.before + sample.rows.join('') + sample.after)).rejects.toThrow(Refusal)
    }
  })
})
