import { expect, test } from 'vitest'
import { canonicalJson, sectionHash } from './canonical-json.ts'
import { keyFrom, signatureHeaders } from './signature.ts'

test('the vector of the protocol', () => {
  const key = keyFrom(Buffer.from(Array.from({ length: 32 }, (_, at) => at)))
  expect(key.publicKey.toString('base64')).toBe('A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=')
  expect(key.keyId).toBe('56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c')
  const body = Buffer.from('{"v":1,"sections":{"os":"0f"}}')
  expect(
    signatureHeaders(key, { path: '/agent/v1/report', body, counter: 17, created: 1_795_305_600 }),
  ).toMatchObject({
    'content-digest': 'sha-256=:NB0V0F9vTC42Hb369eH9T2JY9TxRX3WurMSMQVIHjgE=:',
    signature:
      'sig=:PE4rSFEDQNwvEnn+f1fLElnEIRV52dc/FXFku//FfyrnrNQ/HKD0ulKRL/j3VT79Z+842bemX5IXRUf0VpOMDg==:',
  })
})

test('the hash of a section does not depend on the order of its members', () => {
  expect(canonicalJson({ b: [1, null, 'é'], a: { d: 1e21, c: true } })).toBe(
    '{"a":{"c":true,"d":1e+21},"b":[1,null,"é"]}',
  )
  expect(sectionHash({ a: 1, b: 2 })).toBe(sectionHash({ b: 2, a: 1 }))
  expect(sectionHash({ a: 1 })).toMatch(/^[0-9a-f]{32}$/)
})
