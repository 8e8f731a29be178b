import { FeedError } from '../feeds/feed-error.ts'
import { isCveId } from './json-fields.ts'
import type { FeedFormat } from './format.ts'
import { linesOf } from './lines.ts'

const HEADER = 'cve,epss,percentile'

/** FIRST's EPSS scores of a day: CSV with a leading `#` line that names the model. */
export const epss: FeedFormat = {
  async *read({ content }) {
    let isHeaded = false
    for await (const { number, text } of linesOf(content)) {
      if (text.startsWith('#') || text === '') continue
      if (!isHeaded && text !== HEADER) throw new FeedError(`line ${number} is not the header ${HEADER}`)
      if (isHeaded) yield { likelihood: epssScoreFrom(text, number) }
      isHeaded = true
    }
    if (!isHeaded) throw new FeedError('the file is empty')
  },
}

function epssScoreFrom(text: string, number: number): { cveId: string; epss: number; percentile: number } {
  const [cveId = '', ...numbers] = text.split(',')
  const [score, percentile] = numbers.map((it) => (/^\d?\.?\d+(e-\d+)?$/.test(it) ? Number(it) : Number.NaN))
  if (!isCveId(cveId) || numbers.length !== 2)
    throw new FeedError(`line ${number} is no score: ${text.slice(0, 80)}`)
  if (!isShare(score) || !isShare(percentile))
    throw new FeedError(`line ${number} (${cveId}) is not from 0 to 1`)
  return { cveId, epss: score, percentile }
}

const isShare = (it: number | undefined): it is number => it !== undefined && it >= 0 && it <= 1
