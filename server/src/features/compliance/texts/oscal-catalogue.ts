import { invalid } from '#platform/errors.ts'
import { frameworkOf } from '../catalogue/catalogue.ts'
import type { ControlText } from './control-text.ts'

/**
 * Titles and texts of controls from an OSCAL catalogue as JSON: the statement of each control with the labels of its
 * parts, parameters by their labels in brackets, then its guidance. What is withdrawn is left out.
 */

const DEPTH_MAX = 20
const CONTROLS_MAX = 5_000
const NAMED_MAX = 5

type Json = Readonly<Record<string, unknown>>

/** Whether a text is meant as JSON, not as rows. */
export const isJson = (text: string): boolean => text.trimStart().startsWith('{')

/** Throws 400, which says where, for what is no catalogue, and for controls that the framework does not have. */
export function readCatalogue(framework: string, text: string): ControlText[] {
  const catalogue = catalogueIn(text)
  const ids = idsOf(framework)
  const found = new Map<string, ControlText>()
  const unknown: string[] = []
  for (const control of controlsIn(catalogue)) {
    const id = textIn(control, 'id')
    const controlId = namesOf(control).flatMap((name) => ids.get(plain(name)) ?? [])[0]
    if (controlId === undefined) {
      unknown.push(id)
      continue
    }
    if (found.has(controlId)) throw invalid('rows', `the catalogue has ${controlId} twice`)
    found.set(controlId, { controlId, title: textIn(control, 'title').trim(), text: proseOf(control) })
  }
  if (unknown.length > 0) throw invalid('rows', unknownIn(framework, unknown))
  return [...found.values()]
}

function unknownIn(framework: string, ids: readonly string[]): string {
  const more = ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} more` : ''
  return `name controls that ${framework} does not have: ${ids.slice(0, NAMED_MAX).join(', ')}${more}`
}

function catalogueIn(text: string): Json {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw invalid('rows', `are not JSON: ${(error as Error).message}`)
  }
  const catalogue = isObject(parsed) ? parsed['catalog'] : undefined
  if (!isObject(catalogue))
    throw invalid('rows', 'must be an OSCAL catalogue, an object with the key catalog, or CSV')
  return catalogue
}

/** As the framework writes ids, by how they are compared. */
const idsOf = (framework: string): Map<string, string> =>
  new Map((frameworkOf(framework)?.controls ?? []).map(({ id }) => [plain(id), id]))

/** `AC-02(01)`, `AC-2(1)` and `ac-2.1` are the same. */
const plain = (id: string): string =>
  id
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '.')
    .replaceAll(/(?<![\p{L}\p{N}])0+(?=\d)/gu, '')
    .replaceAll(/^\.|\.$/g, '')

/** The labels say how the publisher writes the id; our own catalogues have the framework before ids of numbers. */
function namesOf(control: Json): string[] {
  const id = textIn(control, 'id')
  const labels = listIn(control, 'props')
    .filter((it) => it['name'] === 'label')
    .map((it) => textIn(it, 'value'))
  return [...labels, id, id.replace(/^\p{L}+-(?=\d)/u, '')]
}

/** Controls and their enhancements, of all groups, in their order. */
function controlsIn(catalogue: Json): Json[] {
  const found: Json[] = []
  const walk = (of: Json, depth: number): void => {
    if (depth > DEPTH_MAX) throw invalid('rows', `are nested more than ${DEPTH_MAX} deep`)
    for (const control of listIn(of, 'controls')) {
      if (!isWithdrawn(control)) found.push(control)
      if (found.length > CONTROLS_MAX) throw invalid('rows', `have more than ${CONTROLS_MAX} controls`)
      walk(control, depth + 1)
    }
    for (const group of listIn(of, 'groups')) walk(group, depth + 1)
  }
  walk(catalogue, 0)
  return found
}

const isWithdrawn = (control: Json): boolean =>
  listIn(control, 'props').some((it) => it['name'] === 'status' && it['value'] === 'withdrawn')

function proseOf(control: Json): string {
  const parameters = new Map(listIn(control, 'params').map((it) => [textIn(it, 'id'), it]))
  const lines: string[] = []
  for (const name of ['statement', 'guidance'])
    for (const part of listIn(control, 'parts'))
      if (part['name'] === name) {
        if (lines.length > 0) lines.push('')
        addPart(part, { parameters, lines, depth: 0 })
      }
  return lines.join('\n').trim()
}

interface Writing {
  readonly parameters: ReadonlyMap<string, Json>
  readonly lines: string[]
  readonly depth: number
}

function addPart(part: Json, { parameters, lines, depth }: Writing): void {
  if (depth > DEPTH_MAX) throw invalid('rows', `are nested more than ${DEPTH_MAX} deep`)
  const label = listIn(part, 'props').find((it) => it['name'] === 'label')
  const prose = withParameters(textIn(part, 'prose'), { parameters, lines, depth: 0 })
  const line = [label ? textIn(label, 'value') : '', prose].filter((it) => it !== '').join(' ')
  if (line !== '') lines.push(`${'  '.repeat(Math.max(0, depth - 1))}${line}`)
  for (const inner of listIn(part, 'parts')) addPart(inner, { parameters, lines, depth: depth + 1 })
}

/** `{{ insert: param, ac-1_prm_1 }}` becomes `[organization-defined frequency]`. */
function withParameters(prose: string, { parameters, lines, depth }: Writing): string {
  return prose.replaceAll(/\{\{\s*insert:\s*param,\s*([^\s}]+)\s*\}\}/g, (_, id: string) => {
    const parameter = parameters.get(id)
    if (!parameter || depth > DEPTH_MAX) return `[${id}]`
    const select = parameter['select']
    const choices = isObject(select) && Array.isArray(select['choice']) ? select['choice'] : []
    const said =
      textIn(parameter, 'label') ||
      choices.map((it) => withParameters(String(it), { parameters, lines, depth: depth + 1 })).join(' or ')
    return `[${said || id}]`
  })
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listIn = (of: Json, key: string): Json[] => {
  const list = of[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

function textIn(of: Json, key: string): string {
  const value = of[key]
  return typeof value === 'string' ? value : ''
}
