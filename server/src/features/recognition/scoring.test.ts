import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deviceTypes } from './device-types.ts'
import { weigh } from './scoring.ts'
import { isTelling, textSources, type Evidence, type Source } from './signals.ts'

const said = (source: Source, confidence: number, what: Partial<Evidence> = {}): Evidence => ({
  source,
  confidence,
  vendor: '',
  model: '',
  ...what,
})
const camera = { deviceType: 'camera', vendor: 'AXIS' } as const

test('without any signal the answer is the fallback', () => {
  expect(weigh([])).toEqual({
    deviceType: 'unknown',
    vendor: '',
    model: '',
    confidence: 0,
    source: 'fallback',
    matches: [],
  })
})

test('families add up as a noisy or, with the strongest voice of each', () => {
  const evidence = [said('http', 0.8, camera), said('favicon', 0.5, camera), said('mac_oui', 0.6, camera)]
  expect(weigh(evidence)).toMatchObject({ ...camera, confidence: 0.92, source: 'http' })
})

test('a rival of another type pulls the winner down by half its own confidence', () => {
  const evidence = [said('http', 0.8, camera), said('ftp', 0.4, { deviceType: 'printer', vendor: 'HP' })]
  expect(weigh(evidence)).toMatchObject({ deviceType: 'camera', confidence: 0.64 })
})

test('addresses and names alone stay below high confidence', () => {
  const evidence = [said('mac_oui', 0.6, camera), said('hostname', 0.45, camera), said('ip', 0.15, camera)]
  expect(weigh(evidence).confidence).toBe(0.79)
})

test('nothing is certain', () => {
  const evidence = [
    said('mdns', 0.9, camera),
    said('snmp_sysobjectid', 0.95, camera),
    said('http', 0.8, camera),
  ]
  expect(weigh(evidence).confidence).toBe(0.99)
})

test('who knows only the maker fills it in, and does not make the type surer', () => {
  const evidence = [said('ports', 0.65, { deviceType: 'camera' }), said('mac_oui', 0.35, { vendor: 'Sony' })]
  expect(weigh(evidence)).toMatchObject({
    deviceType: 'camera',
    vendor: 'Sony',
    confidence: 0.65,
    source: 'ports',
  })
})

test('spellings of one maker and the longer form of a model agree', () => {
  const evidence = [
    said('http', 0.8, { deviceType: 'switch', vendor: 'HP', model: '2530' }),
    said('ssh', 0.6, { deviceType: 'switch', vendor: 'Hewlett-Packard', model: '2530-24G' }),
  ]
  expect(weigh(evidence)).toMatchObject({ vendor: 'HP', model: '2530-24G', confidence: 0.92 })
})

test('a locally administered MAC address is reported, and is no evidence', () => {
  expect(weigh([said('mac_locally_administered', 0)])).toMatchObject({
    source: 'fallback',
    confidence: 0,
    matches: [{ source: 'mac_locally_administered', confidence: 0, deviceType: 'unknown' }],
  })
})

test('property: the answer is a known type with a confidence that its signals allow', () => {
  const sources = [...textSources, 'mac_oui', 'ip', 'ports'] as Source[]
  const evidence = fc.record(
    {
      source: fc.constantFrom(...sources),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      deviceType: fc.constantFrom(...deviceTypes),
      vendor: fc.constantFrom('', 'HP', 'Hewlett-Packard', 'AXIS'),
      model: fc.constantFrom('', 'M1', 'M12'),
    },
    { requiredKeys: ['source', 'confidence', 'vendor', 'model'] },
  )
  fc.assert(
    fc.property(fc.array(evidence, { maxLength: 12 }), (all) => {
      const { confidence, matches, deviceType } = weigh(all)
      expect(deviceTypes).toContain(deviceType)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(0.99)
      expect(confidence < 0.8 || all.some(({ source }) => isTelling(source))).toBe(true)
      expect(matches.length).toBe(Math.min(5, all.length))
      expect(matches.map((match) => match.confidence)).toEqual(
        matches.map((match) => match.confidence).toSorted((a, b) => b - a),
      )
    }),
  )
})
