import { expect, test } from 'vitest'
import { keysOf } from '../find-matches.ts'
import type { Installed } from './matcher.ts'

const sbom = (name: string, purl?: string): Installed => ({
  origin: 'sbom',
  ecosystem: '',
  name,
  version: '1.2.3',
  ...(purl !== undefined && { purl }),
})

test.each<[string, Installed, readonly string[]]>([
  ['a program by its name', sbom('curl'), ['a:haxx:curl']],
  ['with its version in the name', sbom('python3.11'), ['a:python:python']],
  ['with its folder', sbom('/usr/local/go/bin/go'), ['a:golang:go']],
  ['found by its file', sbom('node', 'pkg:generic/node@20.1.0'), ['a:nodejs:node.js']],
  ['what registries have too', sbom('mysql'), []],
  ['no version', { ...sbom('curl'), version: '0.0.0-DEVELOPMENT' }, []],
  ['a library of that name', sbom('redis', 'pkg:pypi/redis@4.1.0'), ['redis']],
  ['of a distribution', { ...sbom('curl'), origin: 'dpkg', ecosystem: 'Debian:12' }, ['curl', 'curl']],
  ['what many programs are called', sbom('server'), []],
  ['a name of every object', sbom('constructor'), []],
  ['a library that a distribution installed', sbom('redis', 'pkg:pypi/redis@4.1.0?distro=rhel-8.6'), []],
])('%s', (_, installed, names) => {
  expect(keysOf(installed).map((it) => it.package)).toEqual(names)
})
