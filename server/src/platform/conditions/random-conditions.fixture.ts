import fc from 'fast-check'
import type { Row } from './field.ts'

/** When the sample is evaluated: spans count from here. */
export const now = new Date('2026-11-22T09:30:00Z')
export const software = [
  { id: 1, name: 'openssl', vendor: 'openssl', version: '3.0.9' },
  { id: 2, name: 'OpenSSL', vendor: 'openssl', version: '3.0.14' },
  { id: 3, name: 'log4j', vendor: 'apache', version: 'unreadable' },
]

const texts = ['device', 'Device', 'zoë', 'Zoë', 'Z', '50%', 'a_b', 'ã', 'Straße', 'ﬁle', 'two  words', 'İ']
const instants = [
  '2026-11-21T23:59:59.999Z',
  '2026-11-22T00:00:00.000Z',
  '2026-11-22T09:30:00.000Z',
  '2026-10-23T09:30:00.000Z',
  '2020-02-29T12:00:00.000Z',
]
const days = ['2026-11-21', '2026-11-22', '2026-11-23', '2026-12-22', '2020-02-29']
const numbers = [0, 0.1, 1, 22, 48.5, 443, 65_536]

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const finding = fc.record({
  status: optional(fc.constantFrom('open', 'resolved')),
  severity: optional(fc.constantFrom('low', 'critical')),
  score: optional(fc.constantFrom(...numbers)),
  kev: optional(fc.boolean()),
  found_at: optional(fc.constantFrom(...instants)),
  cve_id: fc.constantFrom('CVE-2024-1', 'CVE-2025-2'),
})
/** An asset of which each fact may be unknown. */
export const row: fc.Arbitrary<Row> = fc.record({
  name: fc.constantFrom('db-1', 'Zoë', '50%'),
  asset_type: optional(fc.constantFrom('device', 'Cluster')),
  os: optional(fc.constantFrom(...texts)),
  owner: optional(fc.constantFrom(...texts)),
  tags: optional(fc.array(fc.constantFrom(...texts), { maxLength: 3 })),
  open_ports: optional(fc.array(fc.constantFrom(22, 443, 0), { maxLength: 3 })),
  known_ports: optional(fc.array(fc.constantFrom(1, 22, 443), { maxLength: 2 })),
  risk_score: optional(fc.constantFrom(...numbers)),
  cost: optional(fc.constantFrom(...numbers)),
  last_seen: optional(fc.constantFrom(...instants)),
  os_eol: optional(fc.constantFrom(...days)),
  disk_encrypted: optional(fc.boolean()),
  ip: optional(fc.constantFrom('10.1.2.3', '10.2.0.1', '192.168.4.7', 'fe80::1', '2001:db8::5')),
  software_ids: optional(fc.uniqueArray(fc.constantFrom(1, 2, 3))),
  findings: optional(fc.array(finding, { maxLength: 3 })),
})

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
const equality = fc.constantFrom('=', '!=')
const ordering = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((it) => it.join(' '))

const number = fc.constantFrom(...numbers.map(String))
const span = fc.constantFrom('-0d', '+0d', '-30d', '+30d', '-1h', '-7y', '+1m')
const text = fc.constantFrom(...texts.map(quote))
const listOf = (value: fc.Arbitrary<string>) =>
  fc.array(value, { minLength: 1, maxLength: 3 }).map((it) => `(${it.join(', ')})`)
const network = fc.constantFrom('10.0.0.0/8', '10.1.2.3', '10.1.2.99/24', 'fe80::/10', '::/0', '0.0.0.0/0')

const findingTerm = fc.oneof(
  joined(fc.constant('status'), equality, fc.constantFrom('open', 'resolved')),
  joined(fc.constant('severity in'), listOf(fc.constantFrom('low', 'critical'))),
  joined(fc.constant('score'), ordering, number),
  joined(fc.constant('kev'), equality, fc.constantFrom('yes', 'no')),
  joined(fc.constant('found_at'), ordering, fc.oneof(span, fc.constantFrom(...days, ...instants))),
  joined(fc.constant('has'), fc.constantFrom('score', 'kev')),
)
const softwareTerm = fc.oneof(
  joined(fc.constant('name'), fc.constantFrom('=', '!=', ':'), fc.constantFrom('openssl', 'log4j', 'OPEN')),
  joined(fc.constant('version'), ordering, fc.constantFrom('3.0.9', '3.0.14', '4')),
)
const term = fc.oneof(
  joined(fc.constantFrom('type', 'os', 'owner'), fc.constantFrom('=', '!=', ':'), text),
  joined(fc.constantFrom('type', 'os', 'owner', 'tag'), fc.constant('in'), listOf(text)),
  joined(fc.constant('tag'), fc.constantFrom('=', '!=', ':'), text),
  joined(fc.constant('port'), ordering, number),
  joined(fc.constant('port in'), listOf(number)),
  joined(fc.constantFrom('risk', 'cost'), ordering, number),
  joined(fc.constant('cost in'), listOf(number)),
  joined(fc.constant('last_seen'), ordering, fc.oneof(span, fc.constantFrom(...days, ...instants))),
  joined(fc.constant('last_seen in'), listOf(fc.constantFrom(...days, ...instants))),
  joined(fc.constant('os_eol'), ordering, fc.oneof(span, fc.constantFrom(...days))),
  joined(fc.constant('disk_encrypted'), equality, fc.constantFrom('yes', 'no')),
  joined(fc.constant('ip'), fc.constantFrom('=', '!=', ':'), network),
  joined(fc.constant('ip in'), listOf(network)),
  joined(fc.constant('has'), fc.constantFrom('type', 'tag', 'port', 'ip', 'os_eol', 'disk_encrypted')),
  fc.constantFrom('db', '"50%"', 'ZOË'),
)
const tree = (leaf: fc.Arbitrary<string>, levels: number): fc.Arbitrary<string> =>
  fc.memo((level) =>
    level <= 1
      ? leaf
      : fc.oneof(
          leaf,
          tree(leaf, level - 1).map((it) => `not (${it})`),
          joined(tree(leaf, level - 1), fc.constantFrom('and', 'or', ''), tree(leaf, level - 1)).map(
            (it) => `(${it})`,
          ),
        ),
  )(levels)
const collected = fc.oneof(
  joined(
    fc.constantFrom('any', 'no'),
    tree(findingTerm, 2).map((it) => `finding (${it})`),
  ),
  joined(
    fc.constantFrom('any', 'no'),
    tree(softwareTerm, 2).map((it) => `software (${it})`),
  ),
  joined(
    fc.constant('count finding ('),
    findingTerm,
    fc.constant(')'),
    ordering,
    fc.constantFrom('0', '1', '2'),
  ),
  joined(
    fc.constant('count software ('),
    softwareTerm,
    fc.constant(')'),
    ordering,
    fc.constantFrom('0', '1'),
  ),
)
/** Any condition over such assets, nested up to three levels. */
export const anyCondition = tree(
  fc.oneof({ arbitrary: term, weight: 5 }, { arbitrary: collected, weight: 2 }),
  3,
)
