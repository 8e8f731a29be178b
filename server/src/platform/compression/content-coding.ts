/** How a representation may be coded on the wire (RFC 9110 §8.4.1, RFC 7932, RFC 9659). */
export type ContentCoding = 'br' | 'zstd' | 'gzip'

/**
 * The coding to answer with, of those that are to be had, the best first; undefined for none. As RFC 9110 §12.5.3 has
 * it: the highest weight wins, `*` speaks for what is not named, `q=0` refuses, and without the header nothing is coded.
 */
export function preferredCoding(
  acceptEncoding: string | undefined,
  available: readonly ContentCoding[],
): ContentCoding | undefined {
  const weights = weightsOf(acceptEncoding ?? '')
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  let best: ContentCoding | undefined
  for (const coding of available)
    if (weightOf(coding) > 0 && weightOf(coding) >= plain && weightOf(coding) > (best ? weightOf(best) : 0))
      best = coding
  return best
}

/** What a header of preferences says of each name. Unreadable weights count as none, so that a client which writes nonsense gets what everybody can read. */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((it) => it.trim())
    const weight = parameters.find((it) => /^q\s*=/.test(it))?.replace(/^q\s*=\s*/, '')
    if (coding === '') continue
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight === undefined ? 1 : readWeight(weight))
  }
  return weights
}

/** RFC 9110 §12.4.2: from 0 to 1 with at most three digits. */
const readWeight = (text: string): number =>
  /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
