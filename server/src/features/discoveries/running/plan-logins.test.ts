import { expect, test } from 'vitest'
import type { LoginType } from '../discovery.ts'
import { reasonNotToAsk } from './plan-logins.ts'

const NOTHING = { ports: [] as number[], hasSnmp: false, isVmware: false, isHypervisor: false }

test.each<
  [LoginType, Partial<typeof NOTHING>, { ports?: number[]; isIn?: boolean; opened?: number[] }, boolean]
>([
  ['ssh', { ports: [22] }, {}, true],
  ['ssh', { ports: [80] }, {}, false],
  ['ssh', { ports: [80] }, { ports: [2222] }, true],
  ['wmi', { ports: [445] }, {}, true],
  ['wmi', { ports: [80] }, {}, false],
  ['wmi', { ports: [] }, { opened: [5985] }, true],
  ['wmi', { ports: [] }, { opened: [] }, false],
  ['snmp', {}, {}, true],
  ['snmp', {}, { isIn: true }, false],
  ['snmp', { hasSnmp: true }, { isIn: true }, true],
  ['vmware', { ports: [443] }, {}, false],
  ['vmware', { isVmware: true }, {}, true],
  ['hypervisor', {}, {}, false],
  ['hypervisor', {}, { opened: [8006] }, true],
  ['hypervisor', { isHypervisor: true }, {}, true],
])('%s with %j and %j: %s', (type, hints, { ports = [], isIn = false, opened = [] }, isAsked) => {
  const reason = reasonNotToAsk(type, {
    hints: { ...NOTHING, ...hints },
    ports,
    isIn,
    opened: new Set(opened),
  })
  expect(reason === undefined).toBe(isAsked)
})
