import { expect, test } from 'vitest'
import { observedPorts } from './observed-ports.ts'

const seen = (source: string, lastSeen: string, facts: unknown) => ({
  source,
  lastSeen,
  payload: { identifiers: [], facts },
})

test('a port that several sources tell of stands once, with all that is known of it', () => {
  const told = observedPorts([
    seen('scan Sweep', '2026-01-02', { openPorts: [443, 22] }),
    seen('nmap lobby.xml', '2026-01-03', {
      openPorts: 1,
      ports: [{ port: 443, protocol: 'tcp', service: 'https', product: 'nginx', version: '1.28' }],
    }),
    seen('ssh host', '2026-01-01', { listening: ['tcp * 443', 'udp 127.0.0.1 323', 'nonsense'] }),
  ])
  expect(told).toEqual([
    {
      port: 22,
      protocol: 'tcp',
      service: '',
      addresses: [],
      sources: ['scan Sweep'],
      lastSeen: '2026-01-02',
    },
    {
      port: 323,
      protocol: 'udp',
      service: '',
      addresses: ['127.0.0.1'],
      sources: ['ssh host'],
      lastSeen: '2026-01-01',
    },
    {
      port: 443,
      protocol: 'tcp',
      service: 'nginx 1.28',
      addresses: ['*'],
      sources: ['scan Sweep', 'nmap lobby.xml', 'ssh host'],
      lastSeen: '2026-01-03',
    },
  ])
})

test('none is open, or nobody looked', () => {
  expect(observedPorts([seen('scan Sweep', '2026-01-02', { openPorts: [] })])).toEqual([])
  for (const facts of [{ openPorts: 3 }, {}, undefined, ['443']])
    expect(observedPorts([seen('csv list', '2026-01-02', facts)])).toBeUndefined()
})
