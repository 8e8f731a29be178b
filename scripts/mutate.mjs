import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { findNode, isNewEnough, runInForeground } from '../server/bin/node-24.mjs'
import { installIfNeeded, ROOT } from './install.mjs'
import { mutantsOf } from './mutate/mutants.mjs'
import { testRunner } from './mutate/test-runner.mjs'

// npm run mutate -- 30: changes the server at so many random places, one at a time, and runs the tests of the room that each
// is in. Prints which changes no test noticed, and the share of those that were noticed.
//
//   --seed N       the same places again, as long as no file is added or removed
//   --skip N       without the first N of them, which were measured before
//   --from FILE    those that the file lists instead, each line as ["server/src/….ts", "what is there once", "what it becomes"]
//   --in FOLDER    below server/src; features unless given, and the platform's conditions and database
//   --near         only runs the test of the file's name and the nearest others that there are
//   --list         only shows them

const DOMAINS = ['features', 'platform/conditions', 'platform/database']
const NOT_MEASURED = /\.(?:test|fixture)\.ts$/

installIfNeeded()
const node = findNode()
if (!isNewEnough() && node) process.exitCode = await runInForeground(node, process.argv.slice(1))
else await run(optionsOf(process.argv.slice(2)))

async function run(options) {
  const chosen = options.from ? listed(options.from) : choose(options).slice(options.skip)
  if (options.list) for (const it of chosen) process.stdout.write(`${describe(it)}\n`)
  else await measure(chosen, options)
}

function optionsOf(words) {
  const valueOf = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const count = Number(words.find((it) => /^\d+$/.test(it)) ?? 30)
  const seed = Number(valueOf('--seed') ?? Date.now() % 1_000_000)
  return {
    count,
    seed,
    skip: Number(valueOf('--skip') ?? 0),
    from: valueOf('--from'),
    list: words.includes('--list'),
    isNear: words.includes('--near'),
    folders: words.includes('--in') ? [valueOf('--in')] : DOMAINS,
  }
}

/** Each file as often as the others, whatever its length. */
function choose({ count, seed, folders }) {
  process.stdout.write(`seed ${seed}\n`)
  const random = randomNumbers(seed)
  const files = folders
    .flatMap((folder) => filesIn(join(ROOT, 'server/src', folder)))
    .filter((it) => it.endsWith('.ts') && !NOT_MEASURED.test(it))
    .sort()
  const found = []
  const seen = new Set()
  for (let tries = 0; found.length < count && tries < 20 * count; tries += 1) {
    const path = files[random(files.length)]
    const text = readFileSync(path, 'utf8')
    const mutants = mutantsOf(text, parseAst(text, { lang: 'ts' }))
    const mutant = mutants[random(mutants.length || 1)]
    const file = relative(ROOT, path)
    if (!mutant || seen.has(`${file} ${mutant.start}`)) continue
    seen.add(`${file} ${mutant.start}`)
    found.push({ file, text, ...mutant })
  }
  return found
}

function listed(path) {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [file, part, becomes] = JSON.parse(line)
    const text = readFileSync(join(ROOT, file), 'utf8')
    const start = text.indexOf(part)
    if (start < 0 || text.includes(part, start + 1)) throw new Error(`${file} has not once ${part}`)
    return { file, text, start, end: start + part.length, becomes, kind: 'listed' }
  })
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).map((it) => join(folder, it))
}

function randomNumbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function describe({ file, text, start, end, becomes, kind }) {
  const line = text.slice(0, start).split('\n').length
  return `${file}:${line} ${kind}: ${short(text.slice(start, end))} -> ${short(becomes)}`
}

function short(text) {
  return (text.length > 60 ? `${text.slice(0, 57)}...` : text).replaceAll(/\s+/g, ' ')
}

/** In a tree of its own, so that nobody who works here meets a mutant. */
async function measure(mutants, { isNear }) {
  const tree = join(mkdtempSync(join(tmpdir(), 'rollcall-mutants-')), 'tree')
  git(['worktree', 'add', '--detach', '--quiet', tree, 'HEAD'])
  const runner = testRunner(tree)
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
    const shared = join(ROOT, '../shared')
    if (existsSync(shared)) symlinkSync(shared, join(tree, '../shared'))
    const counts = { noticed: 0, survived: 0, late: 0 }
    for (const [at, mutant] of mutants.entries()) {
      const started = Date.now()
      const { outcome, by } = await outcomeOf(tree, runner, mutant, isNear)
      counts[outcome] += 1
      const seconds = Math.round((Date.now() - started) / 1000)
      process.stdout.write(
        `${at + 1}/${mutants.length} ${outcome.padEnd(8)} ${describe(mutant)} (${seconds} s)\n`,
      )
      if (by) process.stdout.write(`  by ${by}\n`)
    }
    const { noticed, survived, late } = counts
    const share = Math.round((100 * noticed) / (noticed + survived))
    process.stdout.write(
      `${noticed} noticed, ${survived} survived (${share} %), ${late} took too long to tell\n`,
    )
  } finally {
    await runner.stop()
    git(['worktree', 'remove', '--force', tree])
    rmSync(dirname(tree), { recursive: true, force: true })
  }
}

async function outcomeOf(tree, runner, { file, text, start, end, becomes }, isNear) {
  const path = join(tree, file)
  const original = readFileSync(path, 'utf8')
  if (original !== text) throw new Error(`${file} is not as committed`)
  await runner.ready()
  writeFileSync(path, text.slice(0, start) + becomes + text.slice(end))
  try {
    for (const files of testsOf(tree, file, isNear)) {
      const found = await runner.run(path, files)
      if (found.outcome !== 'survived') return found
    }
    return { outcome: 'survived' }
  } finally {
    writeFileSync(path, original)
  }
}

/** The nearest first: the one of its name, those of its folder, then those of each folder above, up to the room. */
function testsOf(tree, file, isNear) {
  const room = /^server\/src\/[^/]+\/[^/]+/.exec(file)[0]
  const own = join(tree, file.replace(/\.ts$/, '.test.ts'))
  const found = existsSync(own) ? [[own]] : []
  const near = found.length + 1
  for (let folder = dirname(file); folder.length >= room.length; folder = dirname(folder)) {
    const tests = filesIn(join(tree, folder)).filter((it) => it.endsWith('.test.ts'))
    found.push(tests.filter((it) => !found.flat().includes(it)))
  }
  const some = found.filter((it) => it.length > 0)
  return isNear ? some.slice(0, near) : some
}

function git(words) {
  const done = spawnSync('git', ['-C', ROOT, ...words], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
}
