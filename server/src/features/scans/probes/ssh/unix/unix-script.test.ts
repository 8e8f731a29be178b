import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { accountsIn } from './read-activity.ts'
import { interfacesIn } from './read-network.ts'
import { fileSystemsIn } from './read-storage.ts'
import { cpuIn, memoryIn, releaseIn, unameIn } from './read-system.ts'
import { SectionReader } from './script-output.ts'
import { scriptOf, unixQuestions } from './unix-script.ts'

test('nothing in the script writes, elevates or reaches out', () => {
  const script = scriptOf(unixQuestions, '=0=')
  expect(script).not.toMatch(/\bsudo\b|\bsu -|\bcurl\b|\bwget\b|\btee\b|\bmkdir\b|\btouch\b|\brm\b|\bmv\b/)
  // what is redirected goes nowhere
  expect(script.match(/>+ *(?!&|\/dev\/null)[^\s=]+/g) ?? []).toEqual([])
})

needs('busybox')('a system that is busybox alone', () => {
  test('answers the questions that name it, by its own shell and tools', () => {
    const mark = '=0123='
    const reader = new SectionReader(
      mark,
      unixQuestions.map(({ name }) => name),
      { section: () => 1e6, total: 1e7 },
    )
    const folder = mkdtempSync(join(tmpdir(), 'busybox-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
    execFileSync('busybox', ['--install', '-s', folder])
    // the script adds the usual folders behind the one that is given
    const script = scriptOf(unixQuestions, mark).replace(/^PATH=.*$/m, `PATH=${folder}`)
    reader.feed(
      execFileSync(`${folder}/sh`, ['-s'], {
        input: script,
        maxBuffer: 1e8,
        env: { PATH: folder },
      }),
    )
    const sections = reader.sections()
    const text = (name: string) => sections.get(name)?.text ?? ''
    expect([...sections.keys()]).toEqual(unixQuestions.map(({ name }) => name))
    expect([...sections.values()].every(({ code }) => code !== undefined)).toBe(true)
    const uname = unameIn(text('uname'))
    expect(uname.system).toBe('Linux')
    expect(releaseIn(text('release'), uname)).toMatchObject({ kernel: uname.kernel })
    const links = JSON.parse(execFileSync('ip', ['-j', 'addr'], { encoding: 'utf8' })) as {
      ifname: string
      address: string
    }[]
    expect(interfacesIn(text('interfaces')).map(({ name }) => name)).toEqual(
      links.map(({ ifname }) => ifname),
    )
    expect(fileSystemsIn(text('filesystems'), text('mounts')).map(({ mount }) => mount)).toContain('/')
    expect(memoryIn(text('memory'))).toBeGreaterThan(0)
    expect(cpuIn(text('cpu')).count).toBeGreaterThan(0)
    expect(accountsIn(text('users')).map(({ name }) => name)).toContain('root')
  })
})
