import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findNode, isNewEnough, runInForeground } from '../server/bin/node-24.mjs'
import { buildWebIfNeeded } from './build-web.mjs'
import { installPackagesIfNeeded } from './debian-packages.mjs'
import { installIfNeeded, ROOT } from './install.mjs'

// npm test, and with --all what .ci/run runs: the tests and every check of the code. The last line counts them.
// Other arguments go to vitest, for example a part of a path.

const TESTS_TIMEOUT_MS = 28 * 60_000

/** Many tests meet real processes and networks; that a machine stalls once is no fault. The report names each repeat. */
const RETRY = process.env.CI === 'true' ? ['--retry=1'] : []

/** Each counts as one test. */
const checks = [
  ['types', '.bin/tsc', '-b'],
  ['lint', '.bin/oxlint', '--type-aware'],
  ['format', '.bin/oxfmt', '--check', '.'],
  ['unused code', '.bin/knip', '--no-progress'],
  ['generated files', '.bin/rollcall', 'generate', '--check'],
  ['generated operations', '../web/codegen.ts', '--check'],
  ['script budget', '../web/budget.ts'],
]

installIfNeeded()
const node = findNode()
if (!isNewEnough() && node) process.exitCode = await runInForeground(node, process.argv.slice(1))
else process.exitCode = run(process.argv.slice(2))

function run(args) {
  installPackagesIfNeeded()
  buildWebIfNeeded()
  const isAll = args.includes('--all')
  const outcomes = isAll ? checks.map(runCheck) : []
  const count = runTests(args.filter((it) => it !== '--all'))
  if (isAll) outcomes.push(isUnchanged())
  const skipsFail = process.env.CI === 'true'
  const passed = count.passed + outcomes.filter(Boolean).length
  const failed = count.failed + outcomes.filter((it) => !it).length + (skipsFail ? count.skipped : 0)
  const skipped = !skipsFail && count.skipped > 0 ? `, ${count.skipped} skipped` : ''
  const failures = skipsFail ? [...count.failures, ...count.skips] : count.failures
  for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
  process.stdout.write(`${passed} passed, ${failed} failed${skipped}\n`)
  return failed === 0 ? 0 : 1
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
  const counts = ['agent', 'server', 'web'].map((room) => runTestsOf(room, args))
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
  const isFound = sum('passed') + sum('failed') + sum('skipped') > 0
  return {
    passed: sum('passed'),
    failed: isFound ? sum('failed') : 1,
    skipped: sum('skipped'),
    failures: [...server.failures, ...web.failures],
    skips: [...server.skips, ...web.skips],
  }
}

function runTestsOf(room, args) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'))
  const report = join(folder, 'report.json')
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const rest = ['--passWithNoTests', ...reporters, ...RETRY, ...args]
    const done = runNode([vitest, 'run', '--root', join(ROOT, room), ...rest], 'inherit')
    return countTests(report, done.status === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that does not load, or an error outside every test, is a failure even when all tests that ran passed. */
function countTests(report, isSuccess) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    const failed = isSuccess ? numFailedTests : Math.max(1, numFailedTests)
    const skipped = numPendingTests + numTodoTests
    const [failures, skips] = [failuresOf, skipsOf].map((linesOf) => testResults.flatMap(linesOf))
    return { passed: numPassedTests, failed, skipped, failures, skips }
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [`no report in ${report}`], skips: [] }
  }
}

/** One line per failed test; of a file that does not load, the first line of its error. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(ROOT, name)
  const tests = assertionResults
    .filter((it) => it.status === 'failed')
    .map((it) => `${file}: ${it.fullName}: ${(it.failureMessages[0] ?? '').split('\n')[0]}`)
  if (tests.length > 0 || status !== 'failed') return tests
  return [`${file}: ${(message ?? '').split('\n')[0]}`]
}

function skipsOf({ name, assertionResults }) {
  const skipped = assertionResults.filter((it) => ['pending', 'skipped', 'todo'].includes(it.status))
  return skipped.map((it) => `${relative(ROOT, name)}: ${it.fullName}: skipped`)
}

function runNode(args, output) {
  return spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    timeout: TESTS_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
}
