import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// node scripts/validate-pdf.mjs FILE.pdf…
// Checks PDF files against PDF/A-2a and PDF/UA-1 with veraPDF, which comes from Maven Central: needs a JDK of version 17
// or newer, and Maven. Exit code 1: a file breaks a rule, and which.
const folder = fileURLToPath(new URL('../server/bench/pdf-standards', import.meta.url))
const libraries = join(tmpdir(), 'rollcall-verapdf')

if (!existsSync(libraries)) {
  const target = `-DoutputDirectory=${libraries}`
  run('mvn', ['-q', '-B', '-f', join(folder, 'pom.xml'), 'dependency:copy-dependencies', target])
}
const files = process.argv.slice(2)
run('java', ['-Xmx3g', '-cp', join(libraries, '*'), join(folder, 'ValidatePdf.java'), ...files])

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (error) process.stderr.write(`${command} cannot be run: ${error.message}\n`)
  if (status !== 0) process.exit(status ?? 1)
}
