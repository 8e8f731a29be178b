import { expect, test } from 'vitest'
import { openPortsOf } from './open-ports.ts'

test('open ports of a sweep come with registered names and what the services say', () => {
  const facts = {
    openPorts: [22, 80, 443, 3389, 8080],
    sshBanner: 'SSH-2.0-OpenSSH_9.2p1',
    http: { server: 'nginx', title: 'Intranet' },
    tls: { subject: 'web.example' },
  }
  expect(openPortsOf(facts)).toEqual([
    { protocol: 'tcp', port: 22, service: 'ssh', banner: 'SSH-2.0-OpenSSH_9.2p1' },
    { protocol: 'tcp', port: 80, service: 'http', banner: 'Intranet' },
    { protocol: 'tcp', port: 443, service: 'https', banner: 'web.example' },
    { protocol: 'tcp', port: 3389, service: 'ms-wbt-server', banner: '' },
    { protocol: 'tcp', port: 8080, service: 'http-alt', banner: '' },
  ])
})

test('listening ports come each once, without those that only the host itself reaches', () => {
  const listening = [
    'tcp * 22',
    'tcp 10.0.0.5 22',
    'tcp 127.0.0.1 5432',
    'tcp ::1 631',
    'udp * 123',
    'tcp 0.0.0.0 50000',
  ]
  expect(openPortsOf({ listening })).toEqual([
    { protocol: 'tcp', port: 22, service: 'ssh', banner: '' },
    { protocol: 'tcp', port: 50_000, service: '', banner: '' },
    { protocol: 'udp', port: 123, service: 'ntp', banner: '' },
  ])
})

test.each([[undefined], ['…'], [{}], [{ openPorts: 3 }]])('%j does not say which ports are open', (facts) => {
  expect(openPortsOf(facts)).toBeUndefined()
})

test('no open port is said as an empty list, and what is no port is left out', () => {
  expect(openPortsOf({ openPorts: [] })).toEqual([])
  expect(openPortsOf({ openPorts: [0, 70_000, '22', 1.5], listening: ['tcp * 99999', 'junk'] })).toEqual([])
})
