import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compressAll } from '../precompress.ts'
import { siteFiles } from './site.ts'

// Writes the documents as pages into docs/dist, which the server serves at /docs.

const into = join(import.meta.dirname, '../../docs/dist')
const files = siteFiles()
rmSync(into, { recursive: true, force: true })
for (const { path, content } of files) {
  mkdirSync(dirname(join(into, path)), { recursive: true })
  writeFileSync(join(into, path), content)
}
compressAll(into)
