import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'

/** Collected real data that may not be part of the repository; it lies beside it. */
const SHARED_DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))

/**
 * A suite over a folder of the shared data, for machines that have it. Elsewhere it is skipped; under CI its absence
 * is a failure.
 */
export function sharedData(folder: string, title: string, body: (path: string) => void): void {
  const path = `${SHARED_DATA}${folder}`
  if (existsSync(path) || process.env.CI === 'true')
    describe(title, () => {
      body(path)
    })
  else
    describe.skip(`${title} (missing: ${folder} of the shared data)`, () => {
      body(path)
    })
}
