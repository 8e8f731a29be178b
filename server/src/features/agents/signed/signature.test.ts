import { expect, test } from 'vitest'
import { publicKeyIn, readSignature, verifyDigest, verifySignature } from './signature.ts'

const BODY = Buffer.from('{"v":1,"sections":{"os":"0f"}}')
const PUBLIC = 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='
const KEY_ID = '56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c'
const INPUT = `sig=("@method" "@path" "@query" "content-digest");created=1795305600;keyid="${KEY_ID}";nonce="17";tag="rollcall-agent-1"`
const headers = {
  'content-digest': 'sha-256=:NB0V0F9vTC42Hb369eH9T2JY9TxRX3WurMSMQVIHjgE=:',
  'signature-input': INPUT,
  signature: 'sig=:PE4rSFEDQNwvEnn+f1fLElnEIRV52dc/FXFku//FfyrnrNQ/HKD0ulKRL/j3VT79Z+842bemX5IXRUf0VpOMDg==:',
}
const request = { method: 'POST', path: '/agent/v1/report', hasQuery: false, headers }
const NOW = new Date(1_795_305_600_000)

/** The code of the refusal; `taken` when there was none. */
function codeOf(altered: Partial<typeof request>, now = NOW, body = BODY): string {
  try {
    const signed = readSignature({ ...request, ...altered })
    const publicKey = publicKeyIn(PUBLIC, signed.keyId)
    if (!publicKey) return 'unknown_key'
    verifySignature(signed, publicKey, now)
    verifyDigest(signed, body)
    return 'taken'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const withInput = (from: string, to: string) => ({
  headers: { ...headers, 'signature-input': INPUT.replace(from, to) },
})

test('the vector of the protocol is taken', () => {
  expect(codeOf({})).toBe('taken')
  expect(readSignature(request).counter).toBe(17)
})

test.each([
  ['method', { method: 'GET' }, 'signature'],
  ['path', { path: '/agent/v1/rekey' }, 'signature'],
  ['query', { hasQuery: true }, 'signature_profile'],
  ['digest', { headers: { ...headers, 'content-digest': `sha-256=:${'A'.repeat(43)}=:` } }, 'signature'],
  ['order', withInput('"@method" "@path"', '"@path" "@method"'), 'signature_profile'],
  ['tag', withInput('rollcall-agent-1', 'rollcall-agent-2'), 'signature_profile'],
  ['label', withInput('sig=', 'other='), 'signature_profile'],
  ['counter', withInput('nonce="17"', 'nonce="18"'), 'signature'],
  ['time', withInput('1795305600', '1795305601'), 'signature'],
  ['key', withInput('56475aa7', '56475aa8'), 'unknown_key'],
])('a request with another %s is refused', (_, altered, code) => {
  expect(codeOf(altered)).toBe(code)
})

test('the clock may differ by 300 seconds and no more, and the body is the one that was signed', () => {
  const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000)
  expect([-301, -300, 300, 301].map((it) => codeOf({}, at(it)))).toEqual(['clock', 'taken', 'taken', 'clock'])
  expect(codeOf({}, NOW, Buffer.from('{}'))).toBe('digest')
})
