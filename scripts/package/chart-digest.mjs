import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../install.mjs'

const FOLDER = join(ROOT, 'deploy/helm')

export const RENDERED = join(FOLDER, 'rendered.yaml')

/** Of everything that the rendered chart is made of. */
export function chartDigest() {
  const digest = createHash('sha256')
  const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => relative(FOLDER, join(it.parentPath, it.name)))
    .filter((path) => join(FOLDER, path) !== RENDERED)
  for (const path of paths.toSorted())
    digest
      .update(`${path}\n`)
      .update(readFileSync(join(FOLDER, path)))
      .update('\n')
  return digest.digest('hex')
}
