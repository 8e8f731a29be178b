import { expect, test } from 'vitest'
import { parseDatabaseUrl, serversOf } from './address.ts'

test.each([
  ['postgresql://u:p@db/r', ['postgresql://u:p@db/r']],
  ['postgres://u:p%2F@db:1/r?sslmode=require', ['postgres://u:p%2F@db:1/r?sslmode=require']],
  [
    'postgresql://u:p@a,b:2/r?target_session_attrs=read-write',
    ['postgresql://u:p@a/r', 'postgresql://u:p@b:2/r'],
  ],
  ['postgresql://u@[::1]:5,[::2]/r', ['postgresql://u@[::1]:5/r', 'postgresql://u@[::2]/r']],
  [
    'postgresql://u@/r?host=/a,/b&port=5',
    ['postgresql://u@/r?host=%2Fa&port=5', 'postgresql://u@/r?host=%2Fb&port=5'],
  ],
])('%s', (url, servers) => {
  expect(serversOf(parseDatabaseUrl(url)).map((it) => it.connectionString)).toEqual(servers)
})

test.each([
  ['mysql://db/r', 'must begin with postgresql://'],
  ['postgresql://u:secret@a/r?target_session_attrs=standby', /^target_session_attrs must be read-write/],
  ['postgresql://u:secret@a/r?query_timeout=5000', /^query_timeout must not be given/],
  ['postgresql://u:secret@a b:x/r', /^is not a connection URL/],
  ['postgresql:///r?host=/a,/b,/c&port=1,2', /as many ports as hosts/],
])('%s is refused without its password', (url, why) => {
  expect(() => parseDatabaseUrl(url)).toThrow(why)
  expect(() => parseDatabaseUrl(url)).not.toThrow('secret')
})
