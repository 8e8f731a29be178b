import { expect, test } from 'vitest'
import { openRedactor, REDACTED } from './secret-redaction.ts'

const SECRET = 'korrekt Pferd/+&"Batterie"'

function knowing(...secrets: string[]) {
  const redactor = openRedactor()
  secrets.forEach(redactor.learn)
  return redactor
}

test.each([
  ['as it is', SECRET],
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['base64url', Buffer.from(SECRET).toString('base64url')],
  ['hexadecimal', Buffer.from(SECRET).toString('hex')],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in a form', new URLSearchParams({ x: SECRET }).toString().slice(2)],
  ['in JSON', JSON.stringify(SECRET)],
  ['as Windows encodes it', Buffer.from(SECRET, 'utf16le').toString('base64')],
])('a secret is taken out %s', (_, form) => {
  const reported = knowing(SECRET).text(`it said ${form} and went`)
  expect(reported).not.toContain(form)
  expect(reported).toContain(REDACTED)
})

test('nothing is known at first, and nothing changed', () => {
  expect(openRedactor().text('a.*b')).toBe('a.*b')
  expect(openRedactor().value({ a: 'b' })).toEqual({ a: 'b' })
})

test('one secret inside another leaves no half of it', () => {
  expect(knowing('hunter', 'hunter-of-the-night').text('x hunter-of-the-night y hunter')).toBe(
    `x ${REDACTED} y ${REDACTED}`,
  )
})

test('an error loses it from message, stack and cause, and keeps its class', () => {
  const error = new TypeError(`bad ${SECRET}`, { cause: new Error(SECRET) })
  const reported = knowing(SECRET).error(error) as Error
  expect(reported).toBeInstanceOf(TypeError)
  expect(reported.message).toBe(`bad ${REDACTED}`)
  expect(`${reported.stack} ${String((reported.cause as Error).message)}`).not.toContain(SECRET)
})

test('in what was seen, a short secret goes only where it stands alone', () => {
  const { value } = knowing('debian', 'public')
  expect(
    value({ packages: ['debian-archive-keyring'], note: 'login debian ok', host: 'public-web' }),
  ).toEqual({
    packages: ['debian-archive-keyring'],
    note: `login ${REDACTED} ok`,
    host: 'public-web',
  })
})

test('in what was seen, keys of objects and depths are looked at, and dates stay', () => {
  const at = new Date(0)
  const long = 'a-very-long-password'
  expect(knowing(long).value({ [`k${long}`]: [{ at, deep: `x${long}x` }] })).toEqual({
    [`k${REDACTED}`]: [{ at, deep: `x${REDACTED}x` }],
  })
})

test('each line of a private key is known', () => {
  const line = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW'
  const { text } = knowing(
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${line}\n-----END OPENSSH PRIVATE KEY-----\n`,
  )
  expect(text(`at ${line}`)).toBe(`at ${REDACTED}`)
  expect(text('-----BEGIN OPENSSH PRIVATE KEY-----')).toContain('BEGIN')
})
