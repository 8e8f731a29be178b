import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './install.mjs'

/**
 * A reporter of vitest. Into the file that TEST_REPORT names it writes how many tests passed and failed, and a line for each
 * failure and each skipped test. A file that does not load and an error outside every test are failures too.
 */
export default class TestReport {
  onTestRunEnd(modules, errorsOutside) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state) => tests.filter((test) => test.result().state === state)
    const failures = [
      ...inState('failed').map((test) => lineOf(nameOf(test), test.result().errors)),
      ...modules.flatMap(errorsAround),
      ...errorsOutside.map((error) => lineOf('outside every test', [error])),
    ]
    const skips = inState('skipped').map((test) => `${nameOf(test)}: skipped`)
    const counts = { passed: inState('passed').length, failures, skips }
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
  return `${name}: ${String(errors?.[0]?.message ?? '').split('\n')[0]}`
}
