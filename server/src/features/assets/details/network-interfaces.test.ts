import { expect, test } from 'vitest'
import type { ExplainedIdentifier, ExplainedObservation } from './explain-asset.ts'
import { interfacesOf } from './network-interfaces.ts'

const AT = '2026-01-05T08:00:00Z'

const observation = (
  id: string,
  values: readonly [string, string][],
  lastSeen = AT,
): ExplainedObservation => ({
  id,
  source: 'sweep office',
  sourceId: id,
  sourceKey: id,
  firstSeen: AT,
  lastSeen,
  payload: { identifiers: [] },
  identifiers: values.map(
    ([type, value]) => ({ type, value, firstSeen: AT, lastSeen: null }) as ExplainedIdentifier,
  ),
})

const MAC = '3c:2a:f4:02:34:5f'
const OTHER = '3c:2a:f4:02:34:60'

test('addresses belong to the only hardware address, whoever saw them', () => {
  const seen = [
    observation('1', [
      ['mac', MAC],
      ['ip', '192.0.2.7'],
    ]),
    observation(
      '2',
      [
        ['mac', MAC],
        ['ip', '192.0.2.8'],
        ['ip', '192.0.2.7'],
      ],
      '2026-01-06T08:00:00Z',
    ),
  ]
  expect(interfacesOf(seen)).toEqual([
    {
      mac: MAC,
      addresses: ['192.0.2.7', '192.0.2.8'],
      observationIds: ['1', '2'],
      lastSeen: '2026-01-06T08:00:00Z',
    },
  ])
})

test('of several hardware addresses nobody knows which has which', () => {
  const both = observation('1', [
    ['mac', MAC],
    ['mac', OTHER],
    ['ip', '192.0.2.7'],
    ['ip', '192.0.2.9'],
  ])
  expect(interfacesOf([both]).map(({ mac, addresses }) => [mac, addresses])).toEqual([
    [MAC, []],
    [OTHER, []],
    ['', ['192.0.2.7', '192.0.2.9']],
  ])
  const one = observation('2', [
    ['mac', OTHER],
    ['ip', '192.0.2.9'],
  ])
  expect(interfacesOf([both, one]).map(({ mac, addresses }) => [mac, addresses])).toEqual([
    [MAC, []],
    [OTHER, ['192.0.2.9']],
    ['', ['192.0.2.7']],
  ])
})

test('what was is no longer', () => {
  const { identifiers, ...seen } = observation('1', [['mac', MAC]])
  expect(
    interfacesOf([{ ...seen, identifiers: identifiers.map((it) => ({ ...it, lastSeen: AT })) }]),
  ).toEqual([])
})
