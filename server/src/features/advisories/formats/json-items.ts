import { JsonFault, type JsonItem, type JsonLimits } from '#platform/formats/json-stream-parser.ts'
import * as json from '#platform/formats/json-items.ts'
import { FeedError } from '../feeds/feed-error.ts'

/** The platform's reader, with invalid JSON reported as FeedError. */
export const jsonItems = (
  content: AsyncIterable<Buffer>,
  path: readonly string[],
  limits?: JsonLimits,
): AsyncIterable<JsonItem> => withFeedFaults(json.jsonItems(content, path, limits))

export const jsonDocuments = (content: AsyncIterable<Buffer>, limits?: JsonLimits): AsyncIterable<JsonItem> =>
  withFeedFaults(json.jsonDocuments(content, limits))

async function* withFeedFaults(items: AsyncIterable<JsonItem>): AsyncIterable<JsonItem> {
  try {
    yield* items
  } catch (error) {
    throw error instanceof JsonFault ? new FeedError(error.message) : error
  }
}
