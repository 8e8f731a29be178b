/** The head of an answer, as far as anybody asks. */
export interface ResponseHead {
  readonly status: number
  /** Empty when there are several. */
  readonly location: string | undefined
  readonly retryAfter: string | undefined
  /** Something follows before the answer is complete. */
  readonly hasBody: boolean
}

export interface ParsedHead extends ResponseHead {
  /** Of the body: its bytes, or how its end is known. */
  readonly body: number | 'chunked' | 'until closed'
  /** How long the connection may wait for another request; 0: not at all. */
  readonly keptMs: number
}

/** Shorter than common servers keep a connection (5 s), so that few die under a request. */
const KEPT_MS = 4_000
const KEPT_MAX_MS = 10_000
/** How much earlier than the receiver says a kept connection is given up. */
const KEPT_LESS_MS = 2_000

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t -~\x80-\xff]*)?$/
/** RFC 9112 §5, without the obsolete folding of lines. */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)$/
const LENGTH = /^\d{1,15}$/

/** Parses the lines of a head, without the empty one at its end; undefined when they are not HTTP/1. */
export function parseHead(text: string): ParsedHead | undefined {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, status] = STATUS_LINE.exec(first) ?? []
  const fields = fieldsOf(lines)
  if (minor === undefined || !fields) return undefined
  const body = bodyOf(Number(status), fields)
  if (body === undefined) return undefined
  const { location, 'retry-after': retryAfter } = fields
  const keptMs = body === 'until closed' ? 0 : keptMsOf(minor, fields)
  const isRepeated = location?.includes(REPEATED) === true
  return {
    status: Number(status),
    location: isRepeated ? '' : location,
    retryAfter,
    hasBody: body !== 0,
    body,
    keptMs,
  }
}

const WANTED = [
  'location',
  'retry-after',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
] as const
type Fields = Partial<Record<(typeof WANTED)[number], string>>

/** Stands between the values of a field that comes more than once; no value has it. */
const REPEATED = '\n'

function fieldsOf(lines: readonly string[]): Fields | undefined {
  const fields: Fields = {}
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    const wanted = WANTED.find((it) => it.length === name.length && it === name.toLowerCase())
    if (!wanted) continue
    const before = fields[wanted]
    fields[wanted] = before === undefined ? value.trim() : before + REPEATED + value.trim()
  }
  return fields
}

/** RFC 9112 §6.3; an answer that tells two lengths, or a length and chunks, is refused. */
function bodyOf(status: number, fields: Fields): ParsedHead['body'] | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = fields
  if (length !== undefined && (coding !== undefined || !LENGTH.test(length))) return undefined
  if (status < 200 || status === 204 || status === 304) return 0
  if (coding !== undefined) return /(?:^|[\t\n ,])chunked$/i.test(coding) ? 'chunked' : 'until closed'
  return length === undefined ? 'until closed' : Number(length)
}

function keptMsOf(minor: string, { connection = '', 'keep-alive': hint = '' }: Fields): number {
  const options = connection.toLowerCase().split(/[\n,]/)
  const says = (option: string) => options.some((it) => it.trim() === option)
  if (says('close') || (minor === '0' && !says('keep-alive'))) return 0
  const seconds = /(?:^|[\t\n ,])timeout=(\d{1,9})/i.exec(hint)?.[1]
  return seconds === undefined
    ? KEPT_MS
    : Math.min(KEPT_MAX_MS, Math.max(0, Number(seconds) * 1_000 - KEPT_LESS_MS))
}
