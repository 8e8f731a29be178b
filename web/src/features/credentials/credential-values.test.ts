import { expect, test } from 'vitest'
import { valuesOf, variablesOf } from './credential-values.ts'

test('of the form only what belongs to the kind is sent, networks one by one', () => {
  const values = {
    ...valuesOf(undefined),
    name: ' Linux ',
    kind: 'ssh_password' as const,
    cidrs: '10.0.0.0/8, 192.0.2.0/24\n\n2001:db8::/64',
    username: 'scan',
    password: 'geheim',
    community: 'left over from another kind',
  }
  expect(variablesOf(values)).toEqual({
    name: 'Linux',
    cidrs: ['10.0.0.0/8', '192.0.2.0/24', '2001:db8::/64'],
    targetIds: [],
    asksOnUnknownHost: true,
    port: null,
    username: 'scan',
    password: 'geheim',
  })
})

test('an edited credential shows what may be read, and sends no secret that was not given', () => {
  const values = valuesOf({
    id: 'x',
    name: 'Windows',
    kind: 'winrm',
    settings: { username: 'CORP\\scan', transport: 'http' },
    port: 5985,
    asksOnUnknownHost: false,
    cidrs: ['10.0.0.0/8'],
    targetIds: ['t'],
    isCollectorOnly: true,
    collectorIds: [],
    setAsideUntil: null,
    setAsideBecause: null,
    worksOn: 0,
    refusedOn: 0,
    lastUsedAt: null,
  })
  expect(values).toMatchObject({ username: 'CORP\\scan', password: '', port: '5985' })
  expect(variablesOf(values)).toEqual({
    name: 'Windows',
    cidrs: ['10.0.0.0/8'],
    targetIds: ['t'],
    port: 5985,
    username: 'CORP\\scan',
    transport: 'http',
  })
})
