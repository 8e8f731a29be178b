import { expect, test } from 'vitest'
import { Refusal } from '#platform/errors.ts'
import { checkedTarget, type NewTarget } from './target.ts'

test.each([
  [{ cidr: '10.0.0.5/24' }, { kind: 'cidr', address: '10.0.0.0/24' }],
  [{ host: '192.0.2.1' }, { kind: 'host', address: '192.0.2.1' }],
  [{ host: '2001:DB8::0:1' }, { kind: 'host', address: '2001:db8::1' }],
  [{ host: ' Printer-2.Example.TEST. ' }, { kind: 'host', address: 'printer-2.example.test' }],
  [{ host: 'FILE_SRV' }, { kind: 'host', address: 'file_srv' }],
])('%j is kept as %j', (given, kept) => {
  expect(checkedTarget({ name: ' Office ', ...given })).toMatchObject({ name: 'Office', ...kept })
})

test.each<[Partial<NewTarget>, string]>([
  [{ name: ' ', host: 'a' }, 'name'],
  [{ name: 'x'.repeat(201), host: 'a' }, 'name'],
  [{ name: 'a\0b', host: 'a' }, 'name'],
  [{ name: '\ud800', host: 'a' }, 'name'],
  [{}, 'cidr'],
  [{ cidr: '10.0.0.0/8' }, 'cidr'],
  [{ cidr: '10.0.0.0/24', host: 'a' }, 'host'],
  [{ host: '256.1.1.1' }, 'host'],
  [{ host: '0x7f000001' }, 'host'],
  [{ host: '0X7F000001.' }, 'host'],
  [{ host: '0x7f.1' }, 'host'],
  [{ host: '127.0.0.0x1' }, 'host'],
  [{ host: '127.0x' }, 'host'],
  [{ host: '2130706433' }, 'host'],
  [{ host: '017700000001' }, 'host'],
  [{ host: '0177.0.0.1' }, 'host'],
  [{ host: '127.1' }, 'host'],
  [{ host: '224.0.0.1' }, 'host'],
  [{ host: 'fe80::1' }, 'host'],
  [{ host: 'fe80::1%eth0' }, 'host'],
  [{ host: 'http://printer/' }, 'host'],
  [{ host: 'a b' }, 'host'],
  [{ host: '-rf' }, 'host'],
  [{ host: '' }, 'host'],
  [{ host: 'x'.repeat(254) }, 'host'],
])('%j is refused and names %s', (given, field) => {
  const act = () => checkedTarget({ name: 'Office', ...given })
  expect(act).toThrow(Refusal)
  expect(act).toThrow(new RegExp(`^${field}: `))
})
