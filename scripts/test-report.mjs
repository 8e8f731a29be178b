import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './install.mjs'

/** What vitest says when a process that runs tests ends before they do. */
const WORKER_ENDED = '[vitest-pool]: Worker'

/**
 * A reporter of vitest. Into the file that TEST_REPORT names it writes how many tests passed and failed, and a line for each
 * failure, each skipped test and each that ran more than once. A file that does not load and an error outside every test
 * are failures too. Files that did not end because the process that ran them did are listed apart, with what became of the
 * process.
 */
export default class TestReport {
  onTestRunEnd(modules, errorsOutside) {
    const ended = modules.filter((it) => !['queued', 'pending'].includes(it.state()))
    const tests = ended.flatMap((module) => [...module.children.allTests()])
    const inState = (state) => tests.filter((test) => test.result().state === state)
    const workerEnds = errorsOutside.filter((it) => String(it.message).startsWith(WORKER_ENDED))
    const failures = [
      ...inState('failed').map((test) => lineOf(nameOf(test), test.result().errors)),
      ...ended.flatMap(errorsAround),
      ...errorsOutside
        .filter((it) => !workerEnds.includes(it))
        .map((it) => lineOf('outside every test', [it])),
    ]
    const counts = {
      passed: inState('passed').length,
      failures,
      repeats: tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0).map(nameOf),
      skips: inState('skipped').map((test) => `${nameOf(test)}: skipped`),
      workerEnds: workerEnds.map((it) => messagesOf(it).join(': ')),
      notEnded: modules.filter((it) => !ended.includes(it)).map((it) => it.moduleId),
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(counts))
  }
}

/** Errors of a file and its suites: imports and hooks. */
function errorsAround(module) {
  const suites = [module, ...module.children.allSuites()]
  return suites.filter((it) => it.errors().length > 0).map((it) => lineOf(nameOf(it), it.errors()))
}

function nameOf(task) {
  const file = relative(ROOT, (task.module ?? task).moduleId)
  return task.fullName && task.module ? `${file}: ${task.fullName}` : file
}

function lineOf(name, errors) {
  return [name, ...messagesOf(errors?.[0])].join(': ')
}

/** The first line of the error's message, then of its causes' messages: a worker of vitest that ends early says why there. */
function messagesOf(error) {
  if (!error) return []
  const message = String(error.message ?? error).split('\n')[0]
  return [message, ...messagesOf(error.cause)]
}
