import fc from 'fast-check'
import { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ProbeFailure } from '../probe.ts'
import { libvirtCalls } from './libvirt-calls.ts'
import { Denied, openRpc } from './libvirt-rpc.ts'
import { parsed, describeGuest } from './libvirt-xml.ts'
import { xdr, xdrReader } from './xdr.ts'

const PROGRAM = 0x20008086

/** A daemon that answers each message with what `answer` makes of it. */
function daemon(answer: (serial: number) => Buffer | undefined): Duplex {
  let serial = 0
  return new Duplex({
    read() {},
    write(_, __, done) {
      const bytes = answer(++serial)
      if (bytes) this.push(bytes)
      else this.push(null)
      done()
    },
  })
}

const message = (payload: Buffer, serial: number, status = 0): Buffer =>
  Buffer.concat([xdr(28 + payload.length), xdr(PROGRAM, 1, 7, 1, serial, status), payload])

const callsTo = (stream: Duplex, answerMs = 20_000) =>
  libvirtCalls(openRpc({ stream, where: 'host', signal: new AbortController().signal, answerMs }))

describe('an answer', () => {
  test('is read however it is cut into pieces', async () => {
    const whole = message(xdr('<capabilities/>'), 1)
    for (let cut = 1; cut < whole.length; cut++) {
      const stream = daemon(() => whole.subarray(0, cut))
      const answer = callsTo(stream).capabilities()
      setImmediate(() => stream.push(whole.subarray(cut)))
      expect(await answer).toBe('<capabilities/>')
    }
  })

  test('to something else is passed over', async () => {
    const event = Buffer.concat([xdr(32), xdr(PROGRAM, 1, 107, 2, 0, 0), xdr(5)])
    const stream = daemon((serial) =>
      Buffer.concat([event, message(xdr('old'), 77), message(xdr('host-1'), serial)]),
    )
    expect(await callsTo(stream).hostname()).toBe('host-1')
  })

  test('may be a refusal, with its reason', async () => {
    const error = xdr(38, 7, 1, 'unsupported configuration', 2, 0, 0, 0, 0, 0, 0, 0)
    const answer = callsTo(daemon((serial) => message(error, serial, 1))).hostname()
    await expect(answer).rejects.toThrow(new Denied('unsupported configuration'))
  })

  test.each([
    ['a length beyond measure', xdr(0x7fffffff, 1, 1, 1, 1, 1, 1, 1), /it begins with/],
    ['a length of nothing', xdr(0, 0, 0), /it begins with/],
    ['words', Buffer.from('This account is currently not available.\n'), /begins with "This account is/],
    ['a text longer than the message', message(xdr(0x7ffffff0), 1), /it ends too soon/],
    ['a text of less than no length', message(xdr(-1), 1), /it ends too soon/],
  ])('with %s is not believed', async (_, bytes, why) => {
    await expect(callsTo(daemon(() => bytes)).hostname()).rejects.toThrow(why)
  })

  test('with a list that cannot be costs nothing', async () => {
    const answer = callsTo(daemon((serial) => message(xdr(16_000), serial))).domains()
    await expect(answer).rejects.toThrow('claims a list beyond measure')
  })

  test('that is cut off is the end of the connection', async () => {
    let sent = 0
    const stream = daemon(() => (sent++ === 0 ? message(xdr('host-1'), 1).subarray(0, 20) : undefined))
    const answer = callsTo(stream).hostname()
    setImmediate(() => stream.push(null))
    await expect(answer).rejects.toThrow('ended the connection in the middle')
  })

  test('that never comes is given up', async () => {
    const silent = new Duplex({ read() {}, write: (_, __, done) => done() })
    await expect(callsTo(silent, 500).hostname()).rejects.toThrow('did not answer within 0.5 s')
  })

  test('is not waited for when the scan is cancelled', async () => {
    const silent = new Duplex({ read() {}, write: (_, __, done) => done() })
    const stop = new AbortController()
    const means = { stream: silent, where: 'host', signal: stop.signal, answerMs: 60_000 }
    const answer = libvirtCalls(openRpc(means)).hostname()
    setImmediate(() => stop.abort())
    await expect(answer).rejects.toThrow('aborted')
    expect(silent.destroyed).toBe(true)
  })

  test('of any octets is a failure in words, never another', async () => {
    const questions = [
      'hostname',
      'domains',
      'nodeInfo',
      'pools',
      'interfaces',
      'version',
      'authMethods',
    ] as const
    const surprises: unknown[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(...questions),
        fc.boolean(),
        async (octets, question, isFramed) => {
          const bytes = Buffer.from(octets)
          const stream = daemon((serial) => (isFramed ? message(bytes, serial) : bytes))
          setImmediate(() => stream.push(null))
          const outcome: unknown = await callsTo(stream)
            [question]()
            .catch((error: unknown) => error)
          const isKnown = outcome instanceof ProbeFailure || outcome instanceof Denied
          if (outcome instanceof Error && !isKnown) surprises.push(outcome)
        },
      ),
      { numRuns: 500 },
    )
    expect(surprises).toEqual([])
  })
})

describe('XDR', () => {
  test('reads what it writes', () => {
    const reader = xdrReader(xdr(-5, 'häß', null, 1, 'x'))
    expect([reader.int(), reader.text(), reader.maybeText(), reader.maybeText()]).toEqual([
      -5,
      'häß',
      undefined,
      'x',
    ])
  })
})

describe('the description of a guest', () => {
  const seen = (xml: string) => {
    const domain = parsed(xml, 'domain')
    return domain && describeGuest(domain, { host: 'h', state: 1, addresses: [] })
  }

  test('reports the SMBIOS values of the guest, where they are set', () => {
    const xml = (
      smbios: string,
    ) => `<domain type='kvm'><name>a</name><uuid>11111111-2222-3333-4444-555555555555</uuid>
      <os>${smbios}<type arch='x86_64' machine='pc-q35-7.2'>hvm</type></os><memory unit='GiB'>4</memory>
      <metadata><libosinfo:libosinfo xmlns:libosinfo="http://libosinfo.org/xmlns/libvirt/domain/1.0"><libosinfo:os id="http://debian.org/debian/12"/></libosinfo:libosinfo></metadata>
      <sysinfo type='smbios'><system><entry name='manufacturer'>ACME</entry><entry name='serial'>SN-1</entry></system></sysinfo></domain>`
    expect(seen(xml(`<smbios mode='sysinfo'/>`))).toMatchObject({
      vendor: 'ACME',
      serial: 'SN-1',
      os: 'debian 12',
    })
    expect(seen(xml(''))).toMatchObject({ vendor: 'QEMU', serial: undefined, facts: { memoryMb: 4096 } })
  })

  test.each([
    '',
    '<domain',
    '<other/>',
    '<!DOCTYPE domain [<!ENTITY a "b">]><domain>&a;</domain>',
    '<domain>\u0000</domain>',
  ])('is not read from %j', (xml) => {
    expect(seen(xml)).toBeUndefined()
  })

  test('of any text is read or not, without a failure', () => {
    expect(() =>
      fc.assert(fc.property(fc.string(), (text) => void seen(`<domain>${text}</domain>`))),
    ).not.toThrow()
  })
})
