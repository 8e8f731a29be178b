import { JsonStreamParser, type JsonItem, type JsonLimits } from './json-stream-parser.ts'

/**
 * The items of one array or object in a JSON file of any size, of which one is held at a time. `path` leads to it by
 * keys from the outermost object; an empty path means the outermost value itself. Throws a JsonFault that names the
 * item when one is too large, too deep or no JSON, and when the file ends before the value does.
 */
export async function* jsonItems(
  content: AsyncIterable<Buffer>,
  path: readonly string[],
  limits: JsonLimits = {},
): AsyncIterable<JsonItem> {
  const cutter = new JsonStreamParser(path, limits)
  for await (const chunk of content) yield* cutter.cut(chunk)
  cutter.end()
}

/** JSON values one after another: one document, or one on each line. */
export async function* jsonDocuments(
  content: AsyncIterable<Buffer>,
  limits: JsonLimits = {},
): AsyncIterable<JsonItem> {
  const cutter = new JsonStreamParser(undefined, limits)
  for await (const chunk of content) yield* cutter.cut(chunk)
  yield* cutter.endOfDocuments()
}
