import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findNode, isNewEnough, runInForeground } from '../server/bin/node-24.mjs'
import { buildDocsIfNeeded } from './build-docs.mjs'
import { buildServerIfNeeded } from './build-server.mjs'
import { buildWebIfNeeded } from './build-web.mjs'
import { installPackagesIfNeeded } from './debian-packages.mjs'
import { installIfNeeded, ROOT } from './install.mjs'
import { withTemporaryFolder } from './temporary-files.mjs'

// npm test, and with --all what .ci/run runs: the tests and every check of the code. The last line counts them.
// Other arguments go to vitest, for example a part of a path.

const TESTS_TIMEOUT_MS = 40 * 60_000

/**
 * Why once more: thousands of tests meet real processes, sockets and clocks of a machine that others use as well. Of two
 * whole runs without this one failed at a test that passes alone: it got no connection to the database in time. The report
 * names each repeat, and each is a fault to be looked for, of the test or of the product.
 */
const RETRY = process.env.CI === 'true' ? ['--retry=1'] : []

const REPORT = 'report.json'

/** Each counts as one test. */
const checks = [
  ['types', '.bin/tsc', '-b'],
  ['lint', '.bin/oxlint', '--type-aware'],
  ['format', '.bin/oxfmt', '--check', '.'],
  ['unused code', '.bin/knip', '--no-progress'],
  ['generated files', '.bin/rollcall', 'generate', '--check'],
  ['generated operations', '../web/codegen.ts', '--check'],
  ['script budget', '../web/budget.ts'],
  ['script budget, German', '../web/budget.ts', '--language', 'de'],
]

installIfNeeded()
const node = findNode()
if (!isNewEnough() && node) process.exitCode = await runInForeground(node, process.argv.slice(1))
else process.exitCode = run(process.argv.slice(2))

function run(args) {
  installPackagesIfNeeded()
  buildWebIfNeeded()
  buildDocsIfNeeded()
  buildServerIfNeeded()
  const isAll = args.includes('--all')
  const failedChecks = isAll ? checks.filter((it) => !runCheck(it)).map(([title]) => title) : []
  const tests = runTests(args.filter((it) => it !== '--all'))
  if (isAll && !isUnchanged()) failedChecks.push('changed files')
  const skipsFail = process.env.CI === 'true'
  const failures = [...failedChecks, ...tests.failures, ...(skipsFail ? tests.skips : [])]
  for (const repeat of tests.repeats) process.stdout.write(`repeated: ${repeat}\n`)
  for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
  const passed = tests.passed + (isAll ? checks.length + 1 - failedChecks.length : 0)
  const skipped = !skipsFail && tests.skips.length > 0 ? `, ${tests.skips.length} skipped` : ''
  process.stdout.write(`${passed} passed, ${failures.length} failed${skipped}\n`)
  return failures.length === 0 ? 0 : 1
}

function runCheck([title, program, ...args]) {
  const done = runNode([join(ROOT, 'node_modules', program), ...args], 'pipe')
  if (done.status === 0) return true
  process.stdout.write(`${title}: failed\n${done.stdout}${done.stderr}\n`)
  return false
}

/** Tests and generators leave every committed file as it was. */
function isUnchanged() {
  const done = spawnSync('git', ['diff', '--exit-code', '--stat'], { cwd: ROOT, encoding: 'utf8' })
  if (done.status !== 0) process.stdout.write(`changed files: failed\n${done.stdout}${done.stderr}\n`)
  return done.status === 0
}

/** Of all rooms; a part of a path may be found in one alone. */
function runTests(args) {
  const reports = ['agent', 'server', 'web'].map((room) => runTestsOf(room, args))
  const failures = reports.flatMap((it) => it.failures)
  const skips = reports.flatMap((it) => it.skips)
  const repeats = reports.flatMap((it) => it.repeats)
  const passed = reports.reduce((sum, it) => sum + it.passed, 0)
  if (passed + failures.length + skips.length === 0) failures.push(`no test is called ${args.join(' ')}`)
  return { passed, failures, skips, repeats }
}

/** Files whose process ended before them, for instance for want of memory, run once more where tests may be repeated. */
function runTestsOf(room, args) {
  const first = runVitest(room, args)
  if (first.workerEnds.length === 0) return first
  if (RETRY.length === 0) return { ...first, failures: [...first.failures, ...first.workerEnds] }
  for (const end of first.workerEnds) process.stdout.write(`${room}: ${end}\n`)
  for (const file of first.notEnded) process.stdout.write(`${room}: ${relative(ROOT, file)} runs once more\n`)
  if (first.notEnded.length === 0) return first
  const second = runVitest(room, first.notEnded)
  return {
    passed: first.passed + second.passed,
    failures: [...first.failures, ...second.failures, ...second.workerEnds],
    skips: [...first.skips, ...second.skips],
    repeats: [...first.repeats, ...second.repeats],
  }
}

function runVitest(room, args) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'test-report.mjs')}`]
  const { result, left } = withTemporaryFolder((folder) => {
    const report = join(folder, REPORT)
    const rest = ['--passWithNoTests', ...reporters, ...RETRY, ...args]
    const done = runNode([vitest, 'run', '--root', join(ROOT, room), ...rest], 'inherit', {
      TEST_REPORT: report,
      TMPDIR: folder,
    })
    return readReport(room, report, done.status === 0)
  })
  // a process that was ended, and a test that failed, may not have come to its clean-up
  if (result.failures.length + result.workerEnds.length > 0) return result
  const leaks = left
    .filter((it) => it !== REPORT)
    .map((it) => `${room}: the tests leave ${it} among the temporary files`)
  return { ...result, failures: leaks }
}

function readReport(room, report, isSuccess) {
  const counts = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : {
        passed: 0,
        failures: [`${room}: the tests did not end`],
        skips: [],
        repeats: [],
        workerEnds: [],
        notEnded: [],
      }
  if (!isSuccess && counts.failures.length + counts.workerEnds.length === 0)
    counts.failures.push(`${room}: vitest failed without naming a test`)
  return counts
}

function runNode(args, output, env = {}) {
  return spawnSync(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    timeout: TESTS_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
}
