import { invalid } from '#platform/errors.ts'
import { hostObservation, instantOf, wrongWithHost } from '../parsing/nmap-host.ts'
import { xmlElements } from '../parsing/xml-elements.ts'
import { attribute, parseElement, type XmlElement } from '#platform/formats/xml-tree.ts'
import type { Format, Reading, ReadingTerms } from './format.ts'

const ROOT = 'nmaprun'

/** What nmap writes with -oX, also when the scan was stopped half-way. Hosts that are down are no rows. */
export const nmapXml: Format = {
  kind: 'nmap-xml',
  sourceName: 'nmap XML import',
  recognises: (head) => head.trimStart().startsWith('<'),
  read: readNmap,
}

async function* readNmap(
  content: AsyncIterable<Buffer>,
  terms: ReadingTerms,
): AsyncIterable<readonly Reading[]> {
  let runStart = terms.now
  for await (const { piece, line, ...found } of xmlElements(content, { name: 'host' })) {
    if ('why' in found) yield [{ line, field: found.field, message: found.why }]
    else if (piece === 'root') runStart = startOf(found.text, terms)
    else yield [...readHost(found.text, line, { runStart, now: terms.now })]
  }
}

function startOf(openingTag: string, terms: ReadingTerms): Date {
  const run = parseRoot(openingTag)
  const scanner = attribute(run, 'scanner')
  if (scanner !== 'nmap') {
    throw invalid(
      'file',
      `was written by ${scanner ?? 'an unknown program'}; only XML of nmap itself is read`,
    )
  }
  return instantOf(attribute(run, 'start')) ?? terms.now
}

function parseRoot(openingTag: string): XmlElement {
  if (!/^<nmaprun[\s/>]/.test(openingTag))
    throw invalid('file', `is XML, but has no <${ROOT}>: not from nmap -oX`)
  try {
    return parseElement(openingTag.endsWith('/>') ? openingTag : `${openingTag}</${ROOT}>`)
  } catch {
    throw invalid(ROOT, 'is not well-formed XML')
  }
}

function* readHost(text: string, line: number, times: { runStart: Date; now: Date }): Iterable<Reading> {
  const host = parseHost(text)
  const wrong = typeof host === 'string' ? host : wrongWithHost(host)
  if (typeof host === 'string' || wrong !== undefined) return yield { line, field: 'host', message: wrong! }
  const observation = hostObservation(host, times.runStart)
  // The clock of the machine that scanned may be ahead of ours.
  if (observation)
    yield { line, observation: { ...observation, seenAt: earlier(observation.seenAt, times.now) } }
}

/** The element, or why it is none. */
function parseHost(text: string): XmlElement | string {
  if (text.includes('\ufffd')) return 'is not text in UTF-8'
  try {
    return parseElement(text)
  } catch (error) {
    return `is not well-formed XML: ${(error as Error).message.slice(0, MESSAGE_LENGTH_MAX)}`
  }
}

const MESSAGE_LENGTH_MAX = 200
const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
