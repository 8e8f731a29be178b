import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { recognize, signalsOf } from '#features/recognition/recognition.ts'
import { needs } from '#test/support/needs.ts'
import { sweep } from '../../sweep.ts'
import { TouchCounter } from '../../touches/touch-counter.ts'
import { askBacnet, bacnetQuestion, readBacnet } from './bacnet.ts'
import { industrialReads, type IndustrialRead } from './industrial-reads.ts'
import { isModbusAnswer, modbusQuestion, readModbus } from './modbus.ts'
import { isMqttAnswer, readMqtt } from './mqtt.ts'

const text = (...words: readonly string[]): Buffer =>
  Buffer.concat(words.map((word, id) => Buffer.concat([Buffer.from([id, word.length]), Buffer.from(word)])))

/** As the Modbus specification shows it (6.21): conformity level, more follows, next object, number of objects. */
function modbusAnswer(...words: readonly string[]): Buffer {
  const pdu = Buffer.concat([Buffer.from([0x2b, 0x0e, 2, 2, 0, 0, words.length]), text(...words)])
  return Buffer.concat([Buffer.from([0, 1, 0, 0, 0, pdu.length + 1, 0xff]), pdu])
}

/** ReadProperty-ACK as the BACnet standard shows it (F.3.5), of the device with the instance 100. */
function bacnetAnswer(invoke: number, property: number, value: Buffer): Buffer {
  const apdu = Buffer.from([0x30, invoke, 0x0c, 0x0c, 0x02, 0x00, 0x00, 0x64, 0x19, property, 0x3e])
  return Buffer.concat([
    Buffer.from([0x81, 0x0a, 0, apdu.length + value.length + 7, 1, 0]),
    apdu,
    value,
    CLOSING,
  ])
}
const CLOSING = Buffer.from([0x3f])
const INSTANCE = Buffer.from([0xc4, 0x02, 0x00, 0x00, 0x64])
const bacnetText = (it: string): Buffer =>
  Buffer.concat([Buffer.from([0x75, it.length + 1, 0]), Buffer.from(it)])

test('the questions are those of the standards', () => {
  expect(modbusQuestion().toString('hex')).toBe('000100000005ff2b0e0200')
  expect(bacnetQuestion(1, 75).toString('hex')).toBe('810a001101040005010c0c023fffff194b')
})

test('a Modbus device tells its objects, or only that it is one', () => {
  const answer = modbusAnswer('Schneider Electric', 'BMX P34 2020', 'v2.5', '', 'Modicon M340')
  expect(isModbusAnswer(answer)).toBe(true)
  expect(isModbusAnswer(answer.subarray(0, 30))).toBe(false)
  expect(readModbus(answer)).toEqual({
    vendor: 'Schneider Electric',
    productCode: 'BMX P34 2020',
    revision: 'v2.5',
    product: 'Modicon M340',
  })
  expect(readModbus(Buffer.from([0, 1, 0, 0, 0, 3, 0xff, 0xab, 1]))).toEqual({ exception: 1 })
})

test('a BACnet device answers itself, behind a router too, or refuses', () => {
  expect(readBacnet(bacnetAnswer(3, 75, INSTANCE), 3)).toEqual({ value: 100 })
  expect(readBacnet(bacnetAnswer(3, 121, bacnetText('Acme Controls')), 3)).toEqual({ value: 'Acme Controls' })
  expect(readBacnet(bacnetAnswer(3, 121, bacnetText('Acme')), 4)).toBeUndefined()
  const direct = bacnetAnswer(3, 75, INSTANCE)
  const routed = Buffer.concat([direct.subarray(0, 5), Buffer.from([8, 0, 7, 1, 42]), direct.subarray(6)])
  expect(readBacnet(routed, 3)).toEqual({ value: 100 })
  expect(readBacnet(Buffer.from([0x81, 0x0a, 0, 13, 1, 0, 0x50, 3, 0x0c, 0x91, 1, 0x91, 31]), 3)).toEqual({
    refused: 'error',
  })
})

test('what the device of BACpypes 0.19.0 answered to our questions, as captured', () => {
  // its device object has the instance 260001; the last question was for property 15, which it does not have
  const captured: readonly (readonly [
    property: number,
    answer: string,
    read: ReturnType<typeof readBacnet>,
  ])[] = [
    [75, '810a0017010030000c0c0203f7a1194b3ec40203f7a13f', { value: 260_001 }],
    [121, '810a0022010030010c0c0203f7a119793e750e0041636d6520436f6e74726f6c733f', { value: 'Acme Controls' }],
    [70, '810a001a010030020c0c0203f7a119463e7506004148552d373f', { value: 'AHU-7' }],
    [
      77,
      '810a0028010030030c0c0203f7a1194d3e7514004169722068616e646c696e6720756e697420373f',
      { value: 'Air handling unit 7' },
    ],
    [44, '810a0017010030040c0c0203f7a1192c3e7400322e343f', { value: '2.4' }],
    [12, '810a001a010030050c0c0203f7a1190c3e750600312e392e333f', { value: '1.9.3' }],
    [15, '810a000d010050060c91029120', { refused: 'error' }],
  ]
  for (const [invoke, [property, answer, read]] of captured.entries()) {
    expect(bacnetQuestion(invoke, property)).toHaveLength(17)
    expect(readBacnet(Buffer.from(answer, 'hex'), invoke)).toEqual(read)
  }
})

test('a maker is asked for by its identifier only where its name is missing', async () => {
  const ADDRESS = '127.0.0.1'
  const answers: Readonly<Record<number, Buffer>> = {
    75: INSTANCE,
    120: Buffer.from([0x22, 0x01, 0x27]),
    70: bacnetText('AHU-7'),
  }
  const bacnet = createSocket('udp4', (question, from) => {
    const [invoke = 0, property = 0] = [question[8], question.at(-1)]
    const value = answers[property]
    const refusal = Buffer.from([0x81, 0x0a, 0, 13, 1, 0, 0x50, invoke, 0x0c, 0x91, 2, 0x91, 32])
    bacnet.send(value ? bacnetAnswer(invoke, property, value) : refusal, from.port, from.address)
  })
  onTestFinished(() => void bacnet.close())
  await once(bacnet.bind(0, ADDRESS), 'listening')
  const context = { signal: new AbortController().signal, acquire: async () => undefined, touches: undefined }
  const found = await askBacnet(ADDRESS, { ...context, port: bacnet.address().port })
  expect(found).toEqual({ instance: 100, model: 'AHU-7', vendorId: 295 })
})

test('a broker that wants an account says no more', () => {
  const refusal = Buffer.from([0x20, 2, 0, 5])
  expect(readMqtt(refusal)).toEqual({ access: 'refused' })
  expect(isMqttAnswer(refusal)).toBe(true)
  expect(isMqttAnswer(Buffer.from([0x20, 2, 0, 0]))).toBe(false)
})

test('no bytes, and no change to right ones, make a reader throw', () => {
  const right = [
    modbusAnswer('A', 'B'),
    bacnetAnswer(1, 121, bacnetText('Acme')),
    Buffer.from([0x20, 2, 0, 0, 0x30, 1]),
  ]
  const readers = [readModbus, isModbusAnswer, readMqtt, isMqttAnswer, (it: Buffer) => readBacnet(it, 1)]
  const read = (bytes: Buffer): void => readers.forEach((it) => void it(bytes))
  const change = fc.record({ of: fc.nat(2), at: fc.nat(40), to: fc.nat(255), length: fc.nat(60) })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(() => read(Buffer.from(bytes))).not.toThrow()
    }),
  )
  fc.assert(
    fc.property(change, ({ of, at, to, length }) => {
      const bytes = Buffer.from(right[of] ?? [])
      if (at < bytes.length) bytes[at] = to
      read(bytes.subarray(0, length))
    }),
    { numRuns: 1_000 },
  )
})

/** As the documentation of Pymodbus has it; it says who it is by Read Device Identification. */
const PYMODBUS = `
import sys
from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext
from pymodbus.device import ModbusDeviceIdentification
from pymodbus.server import StartTcpServer
names = {"VendorName": "Schneider Electric", "ProductCode": "BMX P34 2020", "MajorMinorRevision": "v2.5",
         "VendorUrl": "https://example.org/", "ProductName": "Modicon M340", "ModelName": "P342020"}
StartTcpServer(context=ModbusServerContext(slaves=ModbusSlaveContext(), single=True),
               identity=ModbusDeviceIdentification(info_name=names), address=(sys.argv[1], 502))
`
const PYTHON_PACKAGES = ['pymodbus', 'serial', 'serial_asyncio'].map(
  (name) => `/usr/lib/python3/dist-packages/${name}`,
)

needs(
  'root',
  'mosquitto',
  ...PYTHON_PACKAGES,
)('a machine that speaks all three', () => {
  const ADDRESS = '127.91.0.1'
  /** Where Pymodbus is, behind a port that notes who asks. */
  const BEHIND = '127.91.0.2'

  /** Mosquitto and Pymodbus are real. No Debian package has a device of BACnet: that one answers as the standard shows. */
  async function machine(): Promise<{ asked: string[] }> {
    const asked: string[] = []
    const modbus = spawn('/usr/bin/python3', ['-c', PYMODBUS, BEHIND], { stdio: 'ignore' })
    const modbusExit = once(modbus, 'exit')
    const front = createServer((socket) => {
      asked.push('modbus')
      const device = connect(502, BEHIND)
      pipeline(socket, device, socket, () => undefined)
    })
    await once(front.listen(502, ADDRESS), 'listening')
    const bacnet = createSocket('udp4', (question, from) => {
      const [invoke = 0, property = 0] = [question[8], question.at(-1)]
      if (property === 75) asked.push('bacnet')
      const value = property === 75 ? INSTANCE : bacnetText(`text of ${property}`)
      bacnet.send(bacnetAnswer(invoke, property, value), from.port, from.address)
    })
    await once(bacnet.bind(47_808, ADDRESS), 'listening')
    const folder = await mkdtemp(join(tmpdir(), 'mosquitto-'))
    await writeFile(join(folder, 'conf'), `listener 1883 ${ADDRESS}\nallow_anonymous true\nuser root\n`)
    const broker = spawn('/usr/sbin/mosquitto', ['-c', join(folder, 'conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    broker.stderr.on('data', (lines: Buffer) => {
      if (/New connection from/.test(String(lines))) asked.push('mqtt')
    })
    const exit = once(broker, 'exit')
    onTestFinished(async () => {
      front.close()
      bacnet.close()
      for (const it of [modbus, broker]) it.kill('SIGKILL')
      await Promise.all([exit, modbusExit])
      await rm(folder, { recursive: true, force: true })
    })
    await expect.poll(() => accepts(502, BEHIND), { timeout: 20_000 }).toBe(true)
    await expect.poll(() => accepts(1_883), { timeout: 20_000 }).toBe(true)
    await expect.poll(() => asked.includes('mqtt'), { timeout: 20_000 }).toBe(true)
    asked.length = 0
    return { asked }
  }

  const accepts = (port: number, address = ADDRESS): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, address, () => resolve(socket.end() !== undefined))
      socket.once('error', () => resolve(false))
    })

  async function swept(reads?: readonly IndustrialRead[]) {
    const touches = new TouchCounter(() => new Date())
    const options = { signal: new AbortController().signal, now: () => new Date(), touches }
    const target = { kind: 'host', host: ADDRESS } as const
    const seen = []
    for await (const one of sweep.run(target, { ...options, ...(reads && { industrialReads: reads }) }))
      seen.push(one)
    const [one] = seen
    if (!one) throw new Error('the machine is there')
    const [touch] = await touches.takeAll(2_000)
    return { seen: one, probes: touch?.probes ?? 0 }
  }

  test('is asked nothing unless that was turned on, and then says who it is', async () => {
    const { asked } = await machine()
    const guarded = await swept()
    expect(asked).toEqual([])
    expect(Object.keys(guarded.seen.facts ?? {})).not.toEqual(expect.arrayContaining(['mqtt']))

    const some = await swept(['bacnet'])
    expect(asked).toEqual(['bacnet'])
    expect(some.seen.facts).not.toHaveProperty('modbus')

    asked.length = 0
    const { seen, probes } = await swept(industrialReads)
    await expect.poll(() => asked.toSorted()).toEqual(['bacnet', 'modbus', 'mqtt'])
    expect(seen.facts).toMatchObject({
      modbus: {
        vendor: 'Schneider Electric',
        productCode: 'BMX P34 2020',
        revision: 'v2.5',
        product: 'Modicon M340',
        model: 'P342020',
      },
      bacnet: { instance: 100, vendor: 'text of 121', model: 'text of 70', name: 'text of 77' },
      mqtt: { access: 'open', broker: expect.stringContaining('mosquitto version') },
    })
    // two connections, and one question for each property of the device object
    expect(probes - guarded.probes).toBe(2 + 6)
    expect(recognize(signalsOf(seen)).vendor).toBe('Schneider Electric')
  }, 60_000)
})
