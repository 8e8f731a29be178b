import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { meansHost, readKnownHosts } from './known-hosts-file.ts'

const KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
const only = (line: string) => readKnownHosts(line).entries[0]

test('a line is its hosts, its algorithm and the fingerprint of its key', () => {
  expect(readKnownHosts(`# a comment\r\n\n  a.test,192.0.2.1 ssh-ed25519 ${KEY} a comment\r\n`)).toEqual({
    entries: [
      {
        hosts: 'a.test,192.0.2.1',
        algorithm: 'ssh-ed25519',
        fingerprint: only(`x ssh-ed25519 ${KEY}`)?.fingerprint,
        isRevoked: false,
      },
    ],
    rejected: [],
  })
  expect(only(`@revoked * ssh-ed25519 ${KEY}`)).toMatchObject({ hosts: '*', isRevoked: true })
})

test.each([
  [`@cert-authority *.test ssh-ed25519 ${KEY}`, /authorities/],
  [`@other a ssh-ed25519 ${KEY}`, /marker/],
  [`a ssh-rsa ${KEY}`, /public key/],
  ['a ssh-ed25519', /public key/],
  ['a ssh-ed25519 !!!', /public key/],
  [`|2|x|y ssh-ed25519 ${KEY}`, /hashed/],
  [`a\u0007b ssh-ed25519 ${KEY}`, /host/],
  [`a ssh-ed25519 ${'A'.repeat(20_000)}`, /longer/],
])('%.40s… is told with its line', (line, reason) => {
  const { entries, rejected } = readKnownHosts(`# first\n${line}\n`)
  expect(entries).toEqual([])
  expect(rejected).toEqual([{ line: 2, reason: expect.stringMatching(reason) }])
})

test.each<[string, string[], number, boolean]>([
  ['192.0.2.1', ['192.0.2.1'], 22, true],
  ['192.0.2.1', ['192.0.2.1'], 2222, false],
  ['[192.0.2.1]:2222', ['192.0.2.1'], 2222, true],
  ['A.Test', ['192.0.2.1', 'a.test'], 22, true],
  ['*.test', ['b.a.test'], 22, true],
  ['10.0.?.*', ['10.0.7.19'], 22, true],
  ['10.0.?.*', ['10.0.17.19'], 22, false],
  ['*,!secret.test', ['secret.test'], 22, false],
  ['*,!secret.test', ['open.test'], 22, true],
  ['!a.test', ['b.test'], 22, false],
  [`${'*a'.repeat(4_000)}b`, ['a'.repeat(250)], 22, false],
])('%.30s means %j at port %i: %s', (hosts, names, port, means) => {
  expect(meansHost(hosts, names, port)).toBe(means)
})

needs('ssh-keygen')('against OpenSSH', () => {
  test('fingerprints and hashed names are those of ssh-keygen', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-known-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'known_hosts')
    writeFileSync(file, `a.test,192.0.2.1 ssh-ed25519 ${KEY}\n[b.test]:2222 ssh-ed25519 ${KEY}\n`)
    const listed = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' })
    execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' })
    const { entries, rejected } = readKnownHosts(readFileSync(file, 'utf8'))
    expect(rejected).toEqual([])
    expect(entries.every(({ hosts }) => hosts.startsWith('|1|'))).toBe(true)
    expect(listed).toContain(entries[0]?.fingerprint)
    const means = (name: string, port: number) =>
      entries.filter(({ hosts }) => meansHost(hosts, [name], port)).length
    expect([means('a.test', 22), means('192.0.2.1', 22), means('b.test', 2222)]).toEqual([1, 1, 1])
    expect([means('b.test', 22), means('c.test', 22), means('a.test', 2222)]).toEqual([0, 0, 0])
  })
})
