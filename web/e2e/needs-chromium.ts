import { execFileSync } from 'node:child_process'
import { describe } from 'vitest'

/** A suite for machines with Debian's Chromium. Elsewhere it is skipped and says so; under CI that is a failure. */
export const needsChromium = (title: string, body: () => void): void => {
  if (isPresent() || process.env.CI === 'true') describe(title, body)
  else describe.skip(`${title} (missing: chromium)`, body)
}

function isPresent(): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v chromium'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
