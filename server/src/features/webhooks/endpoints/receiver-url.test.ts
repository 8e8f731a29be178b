import { expect, test } from 'vitest'
import { parseReceiverUrl } from './receiver-url.ts'

test.each([
  ['https://a.example/hook?x=1', 'https://a.example/hook?x=1'],
  ['HTTP://A.Example', 'http://a.example/'],
  ['https://a.example:443/', 'https://a.example/'],
  ['https://a.example:8443/', 'https://a.example:8443/'],
  ['https://a.example/#part', 'https://a.example/'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://017700000001/', 'http://127.0.0.1/'],
  ['http://①②⑦.⓪.⓪.①/', 'http://127.0.0.1/'],
  ['http://127。0。0。1/', 'http://127.0.0.1/'],
  ['http://%31%32%37.0.0.1/', 'http://127.0.0.1/'],
  ['http://[::FFFF:127.0.0.1]/', 'http://[::ffff:7f00:1]/'],
  ['https://a.example/../x', 'https://a.example/x'],
])('%s is kept as %s', (text, href) => {
  expect(parseReceiverUrl(text).href).toBe(href)
})

test.each([
  ['', /must start with/],
  ['a.example', /must start with/],
  ['//a.example/', /must start with/],
  ['ftp://a.example/', /must start with/],
  ['javascript:alert(1)', /must start with/],
  ['http:a.example', /must start with/],
  ['https:/a.example', /must start with/],
  ['file:///etc/passwd', /must start with/],
  ['https://', /valid/],
  ['https:///a.example/', /valid/],
  ['https://?x', /valid/],
  ['https://a.example:99999/', /valid/],
  ['https://a.example:x/', /valid/],
  ['https://[::1/', /valid/],
  ['https://1.2.3.4.5.6/', /valid/],
  ['https://a%00b/', /valid/],
  ['https://user@a.example/', /user name/],
  ['https://user:secret@a.example/', /user name/],
  ['https://:secret@a.example/', /user name/],
  ['https://a.example:0/', /port 0/],
  [' https://a.example/', /white space/],
  ['https://a.example/ ', /white space/],
  ['https://a.example/\n', /white space/],
  ['https://a.exa\tmple/', /white space/],
  ['https://a.example/\u0000', /white space/],
  ['https://a.example\\@b.example/', /backslash/],
  ['https://a.example/\u2028', /white space/],
  [`https://a.example/${'x'.repeat(2_048)}`, /2048/],
  [`https://a.example/${'ü'.repeat(1_000)}`, /2048/],
])('%j is refused, naming url', (text, why) => {
  expect(() => parseReceiverUrl(text)).toThrow(why)
  expect(() => parseReceiverUrl(text)).toThrow(/^url: /)
})
