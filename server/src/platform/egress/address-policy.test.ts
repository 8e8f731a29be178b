import { describe, expect, test } from 'vitest'
import { parseException } from './address-exceptions.ts'
import { addressPolicy, type Listener } from './address-policy.ts'

const strict = addressPolicy([])

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
]
  .concat([
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
  ])
  .concat([
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.112.255',
    '223.255.255.255',
  ])
  .concat([
    '2000::',
    '2001:200::',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2620:4f:8001::',
    '3ffe:ffff::1',
  ])

const REFUSED = ['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255']
  .concat(['127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255'])
  .concat([
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.1',
    '198.51.100.9',
  ])
  .concat(['203.0.113.255', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'])
  .concat([
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::808:808',
  ])
  .concat([
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:1ff:ffff::',
    '2001:db8::1',
    '2002:808:808::1',
    '3fff::1',
  ])
  .concat([
    '2620:4f:8000::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ])
  .concat(['2606:4700:0:0:0:5efe:8.8.8.8', '2606:4700::200:5efe:808:808', 'fe80::1%eth0', 'localhost', ''])

describe('without exceptions only global unicast passes', () => {
  test.each(PUBLIC)('%s is public', (ip) => {
    expect(strict.decide(ip, 443)).toEqual({ allowed: true, excepted: false })
  })
  test.each(REFUSED)('%s is refused', (ip) => {
    expect(strict.decide(ip, 443)).toMatchObject({ allowed: false, reason: expect.any(String) })
  })
})

test.each([
  ['10.0.0.0/8', '10.9.9.9', 80, true],
  ['10.0.0.0/8', '11.0.0.1', 80, 'public'],
  ['10.0.0.0/8', '::ffff:10.9.9.9', 80, false],
  ['10.0.0.0/8:8080', '10.9.9.9', 8080, true],
  ['10.0.0.0/8:8080', '10.9.9.9', 80, false],
  ['127.0.0.1', '127.0.0.1', 9, true],
  ['127.0.0.1', '127.0.0.2', 9, false],
  ['fd00::/8', 'fd12::1', 80, true],
  ['[fd00::/8]:8443', 'fd12::1', 8443, true],
  ['[fd00::/8]:8443', 'fd12::1', 80, false],
  ['[::1]', '::1', 80, true],
  ['0.0.0.0/0', '192.168.1.1', 80, true],
  ['0.0.0.0/0', '169.254.169.254', 80, false],
  ['169.254.0.0/16', '169.254.169.254', 80, false],
  ['169.254.169.254/32', '169.254.169.254', 80, true],
  ['169.254.169.254:80', '169.254.169.254', 80, true],
  ['169.254.169.254:80', '169.254.169.254', 8080, false],
  ['::/0', 'fd00:ec2::254', 80, false],
  ['fd00:ec2::254', 'fd00:ec2:0::254', 80, true],
  ['::/0', '::ffff:169.254.169.254', 80, false],
  ['::/0', '64:ff9b::a9fe:a9fe', 80, false],
  ['::/0', '::169.254.169.254', 80, false],
])('exception %s: %s port %i -> %s', (exception, ip, port, outcome) => {
  const { allowed } = addressPolicy([exception]).decide(ip, port)
  expect(allowed).toBe(outcome !== false)
})

describe('an excepted host', () => {
  const policy = addressPolicy(['Receiver.internal:9000', 'box'])
  test('admits what it resolves to, on its port', () => {
    expect(policy.decide('10.1.1.1', 9000, 'receiver.internal').allowed).toBe(true)
    expect(policy.decide('10.1.1.1', 9001, 'receiver.internal').allowed).toBe(false)
    expect(policy.decide('10.1.1.1', 9000, 'other.internal').allowed).toBe(false)
    expect(policy.decide('10.1.1.1', 9000).allowed).toBe(false)
    expect(policy.exceptsHost('box', 1)).toBe(true)
  })
  test('never admits instance metadata', () => {
    expect(policy.decide('169.254.169.254', 80, 'box').allowed).toBe(false)
  })
})

test('own listeners are refused even when excepted', () => {
  const policy = addressPolicy(['127.0.0.0/8', '::1'], [{ host: '127.0.0.1', port: 8080 }])
  expect(policy.decide('127.0.0.1', 8080).allowed).toBe(false)
  expect(policy.decide('127.0.0.1', 8081).allowed).toBe(true)
  const late: Listener[] = []
  const growing = addressPolicy(['127.0.0.0/8'], late)
  expect(growing.decide('127.0.0.1', 9_999).allowed).toBe(true)
  late.push({ host: 'localhost', port: 9_999 })
  expect(growing.decide('127.0.0.1', 9_999).allowed).toBe(false)
  const wildcard = addressPolicy(['127.0.0.0/8', '::1'], [{ host: '0.0.0.0', port: 8080 }])
  expect(wildcard.decide('127.9.9.9', 8080).allowed).toBe(false)
  expect(wildcard.decide('::1', 8080).allowed).toBe(false)
})

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0',
  '10.0.0.256',
  'fd00::/129',
  'a b',
  'host:0',
])('the exception "%s" is malformed', (entry) => {
  expect(() => parseException(entry)).toThrow(`"${entry}"`)
})
test.each([
  'host:65536',
  'host:x',
  '[fd00::1',
  'fd00::1]',
  '[fd00::1]x',
  'http://host',
  'host/8',
  '*.internal',
  ':80',
])('the exception "%s" is malformed', (entry) => {
  expect(() => parseException(entry)).toThrow(`"${entry}"`)
})
