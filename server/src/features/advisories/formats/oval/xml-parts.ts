import { FeedError } from '../../feeds/feed-error.ts'
import { parseElement, type XmlElement } from '#platform/formats/xml-tree.ts'

export interface XmlPart {
  /** From 1, in the order of the file. */
  readonly number: number
  /** Local name, without namespace prefix. */
  readonly name: string
  readonly element: XmlElement
}

const PART_LENGTH_MAX = 8_388_608

/**
 * Yields the elements with one of the names, in order, holding one at a time, so that files of any size can be read.
 * These elements must not be nested. Throws a FeedError for a malformed or too large element, for entity
 * declarations, and for a truncated file.
 */
export async function* xmlParts(
  content: AsyncIterable<Buffer>,
  names: readonly string[],
): AsyncIterable<XmlPart> {
  const decoder = new TextDecoder('utf-8')
  const opening = new RegExp(`<((?:[\\w-]+:)?(${names.join('|')}))(?=[\\s/>])`)
  let text = ''
  let root = ''
  let number = 0
  for await (const chunk of content) {
    text += decoder.decode(chunk, { stream: true })
    root ||= rootOf(text)
    for (let part = nextPart(text, opening); part; part = nextPart(text, opening)) {
      yield { number: ++number, name: part.name, element: elementOf(part.text, number) }
      text = text.slice(part.end)
    }
    const begun = opening.exec(text)
    // Text before an element that has begun, or before an incomplete tag, is no longer needed.
    text = text.slice(begun ? begun.index : Math.max(0, text.lastIndexOf('<')))
    if (text.length > PART_LENGTH_MAX)
      throw new FeedError(`after record ${number} something is longer than ${PART_LENGTH_MAX} characters`)
  }
  if (root === '') throw new FeedError('the file is not XML')
  if (!new RegExp(`</${root}\\s*>\\s*$`).test(text))
    throw new FeedError(`the file ends after record ${number}, before </${root}>`)
}

function rootOf(text: string): string {
  if (/<!DOCTYPE[^>]*\[/.test(text)) throw new FeedError('the file declares entities; such XML is not read')
  const [, name = ''] = /<([A-Za-z_][\w:.-]*)[\s>]/.exec(text) ?? []
  if (name === '' && /^\s*[^<\s\ufeff]/.test(text)) throw new FeedError('the file is not XML')
  return name
}

function nextPart(text: string, opening: RegExp): { name: string; text: string; end: number } | undefined {
  const found = opening.exec(text)
  if (!found) return undefined
  const [, full = '', name = ''] = found
  const tagEnd = text.indexOf('>', found.index)
  if (tagEnd === -1) return undefined
  const close = `</${full}>`
  const at = text[tagEnd - 1] === '/' ? tagEnd + 1 - close.length : text.indexOf(close, tagEnd)
  if (at === -1) return undefined
  const end = at + close.length
  return { name, text: text.slice(found.index, end), end }
}

function elementOf(text: string, number: number): XmlElement {
  try {
    return parseElement(text)
  } catch (error) {
    throw new FeedError(`record ${number} is not XML: ${(error as Error).message}`)
  }
}
