import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { below, nameOf, nodeAt, nodesAt, parseSource, quasisOf, stringOf, type Node } from './syntax.ts'

// Sentences with which the server refuses: those that people may see in the app have a translation in `de.server.json`.

const SERVER = join(import.meta.dirname, '../../server/src')
const COMPLIANCE = join(SERVER, 'features/compliance')
const NIST_800_53 = 'nist-sp-800-53-r5.tsv'

/** Functions that make a refusal, and which argument is its sentence. */
const REFUSALS: ReadonlyMap<string, number> = new Map([
  ['conflict', 0],
  ['forbidden', 0],
  ['invalid', 1],
  ['invalidBody', 0],
  ['notFound', 0],
  ['Refusal', 2],
])

type Catalogue = Readonly<Record<string, string>>

export const readSentences = (language: string): Catalogue => readCatalogue(`${language}.server.json`)
/** Titles of checks, of feeds, triggers and actions. */
export const readTitles = (language: string): Catalogue => readCatalogue(`${language}.titles.json`)
/** Titles of controls but for those of NIST SP 800-53. */
export const readControls = (language: string): Catalogue => readCatalogue(`${language}.controls.json`)
/** Titles of NIST SP 800-53: of "Least Privilege | Privileged Accounts" both halves, and how they are joined. */
export const readNist = (language: string): Catalogue => readCatalogue(`${language}.nist.json`)
/** What scans, discoveries and imports say of themselves, and what notices are about. */
export const readResults = (language: string): Catalogue => readCatalogue(`${language}.results.json`)
/** What fields of conditions say, and where they come from. */
export const readFields = (language: string): Catalogue => readCatalogue(`${language}.fields.json`)

const readCatalogue = (file: string): Catalogue =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Catalogue

/** Every string of the server that is, or can be, a sentence to people, `{0}` for what it is filled with. */
export function findServerSentences(): {
  readonly refusals: ReadonlyMap<string, readonly string[]>
  readonly all: ReadonlySet<string>
} {
  const refusals = new Map<string, readonly string[]>()
  const all = new Set<string>()
  for (const file of readdirSync(SERVER, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts') && !file.endsWith('.test.ts'))
      visit(parseSource(readFileSync(join(SERVER, file), 'utf8'), file), { file, refusals, all })
  return { refusals, all }
}

/** Titles that are data of the server: of its checks, with what to do next, and of controls. */
export function findServerTitles(): {
  readonly checks: ReadonlySet<string>
  readonly controls: ReadonlySet<string>
  readonly nist: ReadonlySet<string>
} {
  const shipped = JSON.parse(
    readFileSync(join(COMPLIANCE, 'checks/shipped-checks.json'), 'utf8'),
  ) as readonly { readonly title: string; readonly next: string }[]
  const data = join(COMPLIANCE, 'catalogue/data')
  const titlesOf = (file: string): readonly string[] =>
    readFileSync(join(data, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[2] ?? '')
  const files = readdirSync(data).filter((it) => it.endsWith('.tsv'))
  return {
    checks: new Set(shipped.flatMap(({ title, next }) => [title, next])),
    controls: new Set(files.filter((it) => it !== NIST_800_53).flatMap(titlesOf)),
    nist: new Set(['{0} | {1}', ...titlesOf(NIST_800_53).flatMap((it) => it.split(' | '))]),
  }
}

/** Labels and explanations of what is asked of a person to connect a cloud. */
export function findCloudFields(): ReadonlySet<string> {
  const connectors = join(SERVER, 'features/cloud/connectors')
  const found = new Set<string>()
  for (const file of readdirSync(connectors, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts') && !file.endsWith('.test.ts'))
      visitFields(parseSource(readFileSync(join(connectors, file), 'utf8'), file), found)
  return found
}

function visitFields(node: Node, found: Set<string>): void {
  const value = nodeAt(node, 'value')
  if (node.type === 'Property' && value && ['help', 'label'].includes(nameOf(nodeAt(node, 'key'))))
    for (const text of textsOf(value)) found.add(text)
  const [, label] = nodesAt(node, 'arguments')
  if (label && nameOf(nodeAt(node, 'callee')) === 'addressField')
    for (const text of textsOf(label)) found.add(text)
  for (const child of below(node)) visitFields(child, found)
}

/** Who tells the fields of conditions, where whole groups of them are told alike. */
export function findFieldSources(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const file of readdirSync(SERVER, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('-store.ts'))
      visitSources(parseSource(readFileSync(join(SERVER, file), 'utf8'), file), found)
  return found
}

function visitSources(node: Node, found: Set<string>): void {
  const [source] = nodesAt(node, 'arguments')
  if (source && nameOf(nodeAt(node, 'callee')) === 'fieldsOf')
    for (const text of textsOf(source)) found.add(text)
  for (const child of below(node)) visitSources(child, found)
}

interface Found {
  readonly file: string
  readonly refusals: Map<string, readonly string[]>
  readonly all: Set<string>
}

function visit(node: Node, found: Found): void {
  for (const text of textsOf(node)) found.all.add(text)
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const callee = nameOf(nodeAt(node, 'callee'))
    const sentence = nodesAt(node, 'arguments')[REFUSALS.get(callee) ?? Number.NaN]
    for (const text of sentence ? textsOf(sentence) : []) {
      const whole = callee === 'notFound' ? `${text} not found` : text
      found.refusals.set(whole, [...(found.refusals.get(whole) ?? []), found.file])
      found.all.add(whole)
    }
  }
  for (const child of below(node)) visit(child, found)
}

/** Of a condition both. */
function textsOf(node: Node): readonly string[] {
  const text = stringOf(node)
  if (text !== undefined) return [text]
  if (node.type === 'TemplateLiteral')
    return [quasisOf(node).reduce((before, it, at) => `${before}{${at - 1}}${it}`)]
  if (node.type !== 'ConditionalExpression') return []
  return [nodeAt(node, 'consequent'), nodeAt(node, 'alternate')].flatMap((it) => (it ? textsOf(it) : []))
}
