import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

test('a card has the same digest under another name, and another one than other parts', () => {
  const of = (name: string) => {
    const nics = [{ name, mac: '00:1b:21:00:00:01' }]
    return fingerprintOf({ hardware: { serial: '00:1b:21:00:00:01' }, nics })
  }
  const [before, after] = [of('eth0'), of('ens192')]
  expect(after['mac ens192']).toBe(before['mac eth0'])
  expect(before['mac eth0']).not.toBe(before['serial'])
  expect(after['serial']).toBe(before['serial'])
})
