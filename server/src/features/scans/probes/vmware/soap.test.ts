import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProbeFailure } from '../probe.ts'
import type { Https } from '../tls/https-client.ts'
import { escaped, Fault, openSoap } from './soap.ts'

const ME = { type: 'SessionManager', value: 'SessionManager' }
const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`
const FAULT = envelope(
  '<soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>Login failure</faultstring><detail><InvalidLoginFault xmlns="urn:vim25" xmlns:q="http://www.w3.org/2001/XMLSchema-instance" q:type="InvalidLogin"></InvalidLoginFault></detail></soapenv:Fault>',
)

/** What comes of one call when the server answers this text. */
async function outcomeOf(text: string, status = 200): Promise<unknown> {
  const https: Https = {
    peer: { address: '10.0.0.5', host: '10.0.0.5', port: 443 },
    isOver: () => false,
    close: () => Promise.resolve(),
    ask: () => Promise.resolve({ status, text, cookies: [], header: () => 'text/xml; charset=utf-8' }),
  }
  return openSoap(https)
    .call(ME, 'Login')
    .catch((error: unknown) => error)
}

describe('an answer', () => {
  test('is the response to what was asked, under any prefix', async () => {
    expect(
      await outcomeOf(envelope('<LoginResponse xmlns="urn:vim25"><a>1</a></LoginResponse>')),
    ).toMatchObject({
      a: { '#text': '1' },
    })
    const other =
      '<s:Envelope xmlns:s="x"><s:Body><v:LoginResponse xmlns:v="urn:vim25"/></s:Body></s:Envelope>'
    expect(await outcomeOf(other)).not.toBeInstanceOf(Error)
  })

  test('may be a fault, whose kind is its type', async () => {
    expect(await outcomeOf(FAULT, 500)).toMatchObject({ kind: 'InvalidLogin', message: 'Login failure' })
  })

  test('with a piece changed, missing or put in is read, refused or not believed, and nothing else', async () => {
    const surprises: unknown[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.nat(FAULT.length),
        fc.nat(12),
        fc.string({
          maxLength: 12,
          unit: fc.constantFrom('<', '>', '/', '&', '"', '!', 'a', ':', ' ', '\u0000', '😀'),
        }),
        async (at, gone, piece) => {
          const outcome = await outcomeOf(FAULT.slice(0, at) + piece + FAULT.slice(at + gone), 500)
          const isKnown = outcome instanceof ProbeFailure || outcome instanceof Fault
          if (outcome instanceof Error && !isKnown) surprises.push(outcome)
        },
      ),
      { numRuns: 1_000 },
    )
    expect(surprises).toEqual([])
  })
})

test('what people wrote cannot end an element', () => {
  expect(escaped(`</password><a b="'&`)).not.toMatch(/[<>"']/)
})
