import type { Advisory, Rule } from '../../advisory.ts'
import { attribute, elements, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { datesOf, isCveId } from '../json-fields.ts'
import { parseSeverity } from '../../catalogue/cvss-score.ts'
import type { FeedFormat } from '../format.ts'
import { xmlParts, type XmlPart } from './xml-parts.ts'

/** Definitions and tests are buffered, because the states with the versions come last in the file. */
const PARTS_MAX = 500_000

interface Test {
  readonly object: string
  readonly state: string
}
interface State {
  readonly version: string
  readonly operation: string
}
interface Held {
  readonly definitions: { readonly advisory: Advisory; readonly tests: readonly string[] }[]
  readonly tests: Map<string, Test>
  readonly names: Map<string, string>
  readonly states: Map<string, State>
}

/** Azure Linux's OVAL definitions: one for each vulnerability of each package. */
export const azureOval: FeedFormat = {
  async *read({ content }) {
    const held: Held = { definitions: [], tests: new Map(), names: new Map(), states: new Map() }
    for await (const part of xmlParts(content, [
      'definition',
      'rpminfo_test',
      'rpminfo_object',
      'rpminfo_state',
    ])) {
      if (part.number > PARTS_MAX) throw new FeedError(`the file has more than ${PARTS_MAX} elements`)
      buffer(held, part)
    }
    for (const { advisory, tests } of held.definitions)
      yield { advisory: { ...advisory, rules: tests.flatMap((it) => rulesOf(it, held, advisory)) } }
  },
}

function buffer(held: Held, { name, number, element }: XmlPart): void {
  const id = attribute(element, 'id')
  if (!id) throw new FeedError(`record ${number} has no id`)
  if (name === 'definition') held.definitions.push(definitionFrom(element, id))
  else if (name === 'rpminfo_test') {
    held.tests.set(id, { object: referred(element, 'object'), state: referred(element, 'state') })
  } else if (name === 'rpminfo_object') held.names.set(id, textIn(element, 'name'))
  else {
    const [evr] = children(element, 'evr')
    held.states.set(id, {
      version: textIn(element, 'evr'),
      operation: (evr && attribute(evr, 'operation')) ?? '',
    })
  }
}

/** Child elements by local name, with or without namespace prefix. */
const children = (element: XmlElement, name: string): XmlElement[] =>
  Object.keys(element)
    .filter((key) => key === name || key.endsWith(`:${name}`))
    .flatMap((key) => elements(element, key))

function textIn(element: XmlElement, name: string): string {
  const [child] = children(element, name)
  const text = child?.['#text']
  return typeof text === 'string' ? text.trim() : ''
}

function referred(element: XmlElement, name: string): string {
  const [child] = children(element, name)
  return (child && attribute(child, `${name}_ref`)) ?? ''
}

function definitionFrom(definition: XmlElement, id: string): Held['definitions'][number] {
  const [reference] = elements(definition, 'metadata', 'reference')
  const cveId = (reference && attribute(reference, 'ref_id')) ?? id
  const severity = parseSeverity(textAt(definition, 'metadata', 'severity') ?? '')
  const number = textAt(definition, 'metadata', 'advisory_id') ?? id
  const url = reference && attribute(reference, 'ref_url')
  return {
    tests: testsIn(definition),
    advisory: {
      id: cveId,
      scope: number,
      cveIds: [cveId].filter(isCveId),
      aliases: [],
      state: 'published',
      isDisputed: false,
      description: textAt(definition, 'metadata', 'description') ?? '',
      ...datesOf(textAt(definition, 'metadata', 'advisory_date'), undefined),
      ...(severity && { severity }),
      scores: [],
      weaknesses: [],
      references: url ? [url] : [],
      rules: [],
    },
  }
}

const testsIn = (element: XmlElement): string[] =>
  elements(element, 'criteria').flatMap((it) => [
    ...elements(it, 'criterion').flatMap((each) => attribute(each, 'test_ref') ?? []),
    ...testsIn(it),
  ])

/** `0:3.4.0-1.azl3` is a version of Azure Linux 3, `.cm2` of CBL-Mariner 2. */
function rulesOf(testId: string, held: Held, { severity, id }: Advisory): Rule[] {
  const test = held.tests.get(testId)
  const name = test && held.names.get(test.object)
  const state = test && held.states.get(test.state)
  if (!name || !state || state.version === '')
    throw new FeedError(`${id} refers to a test that is not there: ${testId}`)
  const [, kind = 'azl', release = '3'] = /\.(azl|cm)(\d+)$/.exec(state.version) ?? []
  const range = ranges[state.operation]?.(state.version)
  if (!range) return []
  return [
    {
      ecosystem: kind === 'cm' ? `Mariner:${release}` : `Azure Linux:${release}`,
      package: name,
      names: 'binary',
      verdict: 'affected',
      ranges: [range],
      versions: [],
      ...(severity && { severity }),
    },
  ]
}

const ranges: Readonly<Record<string, (version: string) => Rule['ranges'][number]>> = {
  'less than': (fixed) => ({ fixed }),
  'less than or equal': (lastAffected) => ({ lastAffected }),
}
