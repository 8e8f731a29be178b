import { expect, test } from 'vitest'
import { regionFacts } from './region-facts.ts'

test.each([
  ['AWS', 'eu-central-1', 'Frankfurt'],
  ['Azure', 'westeurope', 'Netherlands'],
  ['GCP', 'europe-west4', 'Eemshaven'],
] as const)('%s %s is in %s', (provider, region, place) => {
  expect(regionFacts(provider, region)?.place).toBe(place)
})

test('carbon is told where the provider publishes it, with its year', () => {
  expect(regionFacts('GCP', 'europe-north2')?.carbon).toEqual({
    year: 2024,
    carbonFreeShare: 1,
    gridGramsPerKwh: 2.73,
  })
  expect(regionFacts('AWS', 'eu-north-1')?.carbon).toBeUndefined()
})

test.each([
  ['AWS', 'global'],
  ['AWS', 'europe-west4'],
  ['GCP', 'constructor'],
  ['Azure', '__proto__'],
  ['Kubernetes', 'eu-central-1'],
] as const)('%s %s is in no list', (provider, region) => {
  expect(regionFacts(provider, region)).toBeUndefined()
})
