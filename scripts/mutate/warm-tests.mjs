import { createVitest } from 'vitest/node'

// Runs tests of the tree that is its first argument as often as it is told to, with one database and one Vitest for all of
// them: to start these takes longer than most rooms' tests. Started by fork(); a message names the files of tests and the
// file that was changed, the answer the first test that failed.

/** Needs no database. */
const QUICK = 'src/platform/validation/shortened.test.ts'

const tree = process.argv[2]
let changedBefore
let failed
let cancelled = Promise.resolve()

const vitest = await createVitest('test', {
  root: `${tree}/server`,
  watch: false,
  reporters: [{ onTestCaseResult: noticeTest, onTestModuleEnd: noticeModule }],
})

process.on('message', (message) => void answer(message))
process.on('disconnect', () => void close())
process.on('SIGTERM', () => void close())
await makeDatabase()
process.send({ ready: true })

/** With the first tests that run, whichever they are. */
async function makeDatabase() {
  const [quick] = await vitest.globTestSpecifications([QUICK])
  await vitest.runTestSpecifications([quick])
}

async function answer({ changed, files }) {
  failed = undefined
  // the one of the run before is as it was again
  for (const path of [changedBefore ?? changed, changed]) vitest.invalidateFile(path)
  changedBefore = changed
  const wanted = new Set(files)
  const all = await vitest.globTestSpecifications()
  const { unhandledErrors } = await vitest.runTestSpecifications(all.filter((it) => wanted.has(it.moduleId)))
  await cancelled
  const [error] = unhandledErrors
  // nobody waits any more where it took too long
  if (process.connected)
    process.send({ by: failed ?? (error && `an error outside of tests: ${error.message}`) })
}

function noticeTest(test) {
  if (test.result().state === 'failed') notice(`${test.module.relativeModuleId} > ${test.fullName}`)
}

/** What fails before its tests, or after them. */
function noticeModule(module) {
  if (module.state() === 'failed') notice(module.relativeModuleId)
}

/** One is enough, so the others need not run. */
function notice(name) {
  if (failed !== undefined) return
  failed = name
  cancelled = vitest.cancelCurrentRun('test-failure')
}

async function close() {
  await vitest.close()
  process.exit()
}
