import { expect, test } from 'vitest'
import { meantTypes, networkTypeNames, networkTypeOptions } from './network-types.ts'

test('each network of a place stands there with what it is meant for, also where nobody said it', () => {
  const networkTypes = [{ network: '10.2.0.0/16', types: ['server', 'storage'] }]
  expect(meantTypes({ networks: ['10.1.0.0/16', '10.2.0.0/16'], networkTypes })).toEqual([
    { network: '10.1.0.0/16', types: [] },
    { network: '10.2.0.0/16', types: ['server', 'storage'] },
  ])
})

test('types have names, each once; nothing is meant for what is unknown', () => {
  expect(networkTypeNames(['access_point', 'ot_device'])).toBe('Access point, OT device')
  const values = networkTypeOptions.map(({ value }) => value)
  expect(new Set(values).size).toBe(values.length)
  expect(values).not.toContain('unknown')
})
