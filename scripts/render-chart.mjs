import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './install.mjs'
import { chartDigest, RENDERED } from './package/chart-digest.mjs'

// node scripts/render-chart.mjs: lints the Helm chart and writes what helm makes of all its parts to deploy/helm/rendered.yaml,
// which the tests read, since helm is in no package registry that they use. HELM names the program; --check only compares.

const helm = process.env.HELM ?? 'helm'
const CHART = join(ROOT, 'deploy/helm/rollcall')
const VALUES = join(ROOT, 'deploy/helm/all-parts.yaml')

run('lint', CHART, '--strict')
run('lint', CHART, '--strict', '--values', VALUES)
const made = run('template', 'rollcall', CHART, '--values', VALUES, '--kube-version', '1.31.0')
const text = `# Made by node scripts/render-chart.mjs of a chart with the digest ${chartDigest()}\n${made}`
if (!process.argv.includes('--check')) writeFileSync(RENDERED, text)
else if (readFileSync(RENDERED, 'utf8') !== text) fail(`${RENDERED} is out of date`)

function run(...args) {
  const { status, stdout, stderr, error } = spawnSync(helm, args, { encoding: 'utf8' })
  if (status !== 0) fail(`${helm} ${args[0]}: ${error?.message ?? stdout + stderr}`)
  return stdout
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
