import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder of the test that asks for it, which is removed when that test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
