import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { thisMachine, type Machine } from '../machine.ts'
import { goModulesIn } from './go-build-info.ts'

const PROGRAM = '/usr/bin/promtool'
const isThere = existsSync(PROGRAM) && spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0

/** As `go version -m` prints them: what took the place of a module stands in the line after it. */
function toldByGo(): string[] {
  const lines = execFileSync('go', ['version', '-m', PROGRAM], { encoding: 'utf8' }).split('\n')
  const modules = lines.flatMap((line, at) => {
    const [, kind, name = '', version = ''] = line.split('\t')
    const isReplaced = lines[at + 1]?.startsWith('\t=>') ?? false
    const isModule = kind === 'dep' || kind === 'mod' || kind === '=>'
    return isModule && !isReplaced && version.startsWith('v') ? [`${name}@${version}`] : []
  })
  const standard = /: go(\d+\.\d+(?:\.\d+)?)/.exec(lines[0] ?? '')?.[1] ?? ''
  return [`stdlib@${standard}`, ...modules]
}

/** An ELF file whose one section has the build information, as debug/buildinfo of Go describes it. */
function programWith(version: string, modules: string): Buffer {
  const texts = [version, `${'<'.repeat(16)}${modules}${'>'.repeat(16)}`].map((text) => {
    const bytes = Buffer.from(text)
    return Buffer.concat([Buffer.from([(bytes.length & 0x7f) | 0x80, bytes.length >> 7]), bytes])
  })
  const head = Buffer.alloc(32)
  Buffer.from('\u00ff Go buildinf:', 'latin1').copy(head)
  head[15] = 2
  const info = Buffer.concat([head, ...texts])
  const names = Buffer.from('\0.go.buildinfo\0.shstrtab\0')
  const file = Buffer.alloc(64 + 3 * 64 + names.length)
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]).copy(file)
  file.writeBigUInt64LE(64n, 0x28)
  for (const [at, value] of [
    [0x3a, 64],
    [0x3c, 3],
    [0x3e, 2],
  ] as const)
    file.writeUInt16LE(value, at)
  const sections = [[], [1, file.length, info.length], [15, 256, names.length]] as const
  for (const [index, [name = 0, from = 0, length = 0]] of sections.entries()) {
    file.writeUInt32LE(name, 64 + index * 64)
    file.writeBigUInt64LE(BigInt(from), 64 + index * 64 + 0x18)
    file.writeBigUInt64LE(BigInt(length), 64 + index * 64 + 0x20)
  }
  names.copy(file, 256)
  return Buffer.concat([file, info])
}

const from = (content: Buffer): Machine => ({
  ...thisMachine('/nowhere'),
  size: () => 10_000_000,
  part(_, at, length) {
    if (at + length > content.length) throw new Error('shorter than it says')
    return content.subarray(at, at + length)
  },
})

test('modules, what took the place of one, and none without a version', () => {
  const list = [
    'path\texample.org/tool',
    'mod\texample.org/tool\t(devel)\t',
    'dep\tgolang.org/x/net\tv0.7.0\th1:x=',
    'dep\texample.org/old\tv1.0.0',
    '=>\texample.org/fork\tv1.0.1\th1:y=',
    'dep\texample.org/local\tv1.0.0',
    '=>\t./local\t(devel)\t',
    'build\t-compiler=gc',
  ]
  const modules = ['golang.org/x/net@v0.7.0', 'example.org/fork@v1.0.1']
  const program = programWith('go1.21.3 X:boringcrypto', `${list.join('\n')}\n`)
  expect(found(from(program))).toEqual(['stdlib@1.21.3', ...modules])
  expect(found(from(programWith('devel go1.22-abc', `${list.join('\n')}\n`)))).toEqual(modules)
  expect(found(from(program.subarray(0, -20)))).toEqual([])
})

const found = (machine: Machine): string[] =>
  goModulesIn(machine, PROGRAM).map(({ name, version }) => `${name}@${version}`)

test.skipIf(!isThere)('the modules of a program of Go are those that go itself names', () => {
  const told = toldByGo()
  expect(found(thisMachine())).toEqual(told)
})

test('a file that says it is more than it is, or something else, has none', () => {
  const elf = Buffer.alloc(4_096)
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]).copy(elf)
  expect(found(from(Buffer.from('#!/bin/sh\n'.repeat(20))))).toEqual([])
  expect(found(from(elf))).toEqual([])
  elf.writeUInt16LE(64, 0x3a)
  elf.writeUInt16LE(9, 0x3c)
  for (const place of [0n, 64n, 4_095n, 2n ** 63n]) {
    elf.writeBigUInt64LE(place, 0x28)
    expect(found(from(elf))).toEqual([])
  }
})
