import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe } from 'vitest'

type Suite = (title: string, body: () => void) => void

/**
 * A suite for machines that have what it names: `root`, commands such as `nmap`, or paths of files. Elsewhere it is skipped and
 * says what is missing; under CI a missing thing is a failure.
 */
export function needs(...wanted: readonly string[]): Suite {
  const missing = wanted.filter((thing) => !isPresent(thing))
  if (missing.length === 0 || process.env.CI === 'true') return (title, body) => void describe(title, body)
  return (title, body) => void describe.skip(`${title} (missing: ${missing.join(', ')})`, body)
}

function isPresent(thing: string): boolean {
  if (thing === 'root') return process.getuid?.() === 0
  if (thing.startsWith('/')) return existsSync(thing)
  try {
    const path = `${process.env.PATH}:/usr/sbin:/sbin`
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', thing], {
      stdio: 'ignore',
      env: { ...process.env, PATH: path },
    })
    return true
  } catch {
    return false
  }
}
