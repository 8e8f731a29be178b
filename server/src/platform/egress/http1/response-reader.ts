import { openChunkedBody } from './chunked-body.ts'
import { parseHead, type ParsedHead, type ResponseHead } from './response-head.ts'

/** What a reader tells of one answer. */
export interface ResponseListener {
  readonly onHead: (head: ResponseHead) => void
  readonly onBody: (bytes: Buffer) => void
  /** The answer is complete; so long the connection may wait for another request. */
  readonly onEnd: (keptMs: number) => void
  /** What came is not HTTP/1, or stops being it. */
  readonly onBroken: () => void
}

/** Reads the answers on one connection, one after the other, however their bytes are cut. */
export interface ResponseReader {
  /** To be called before each request. */
  readonly expectAnswer: () => void
  readonly take: (bytes: Buffer) => void
  /** The peer sends nothing more. Whether that ends an answer. */
  readonly end: () => boolean
}

const HEAD_MAX_BYTES = 16_384
/** Informational answers before the final one. */
const INTERIMS_MAX = 32
const SWITCHING_PROTOCOLS = 101
const NOTHING = Buffer.alloc(0)
const HEAD_END = '\r\n\r\n'
/** What every answer begins with, so that another protocol is known at once. */
const BEGINNING = 'HTTP/1.'
const LONE_FEED = /(?:^|[^\r])\n/

export function openResponseReader(listener: ResponseListener): ResponseReader {
  let body: BodyReader | undefined
  let [keptMs, isOver] = [0, false]

  const over = (end: 'clean' | 'with more' | 'broken'): void => {
    isOver = true
    if (end === 'broken') return listener.onBroken()
    // what comes after the end was not asked for: such a connection is not kept
    listener.onEnd(end === 'clean' ? keptMs : 0)
  }
  const takeBody = (bytes: Buffer, its: BodyReader): void => {
    const at = its.take(bytes)
    const state = its.state()
    if (state === 'broken') over('broken')
    else if (state === 'over') over(at === bytes.length ? 'clean' : 'with more')
  }
  const heads = openHeadReader((head, rest) => {
    if (!head) return over('broken')
    body = openBody(head.body, listener.onBody)
    keptMs = head.keptMs
    listener.onHead(head)
    takeBody(rest, body)
  })
  return {
    expectAnswer() {
      body = undefined
      isOver = false
      heads.expect()
    },
    take(bytes) {
      if (isOver) return
      if (body) takeBody(bytes, body)
      else heads.take(bytes)
    },
    end() {
      const isEnd = !isOver && body?.isUntilClosed === true
      if (isEnd) over('with more')
      return isEnd
    },
  }
}

/** Tells the final head of each answer and what came with it; undefined: that is not HTTP/1. */
function openHeadReader(onHead: (head: ParsedHead | undefined, rest: Buffer) => void) {
  let held: Buffer | undefined
  let interims = 0
  /** The last one, since most answers of a receiver begin alike. */
  let known: { readonly text: string; readonly head: ParsedHead | undefined } | undefined

  const take = (bytes: Buffer): void => {
    const all = held ? Buffer.concat([held, bytes]) : bytes
    const end = all.indexOf(HEAD_END, Math.max(0, (held?.length ?? 0) - HEAD_END.length))
    held = end < 0 ? all : undefined
    if ((end < 0 ? all.length : end) > HEAD_MAX_BYTES) return onHead(undefined, NOTHING)
    if (end < 0) return isBeginning(all) ? undefined : onHead(undefined, NOTHING)
    const text = all.toString('latin1', 0, end)
    if (known?.text !== text) known = { text, head: parseHead(text) }
    const { head } = known
    const rest = all.subarray(end + HEAD_END.length)
    if (!head || head.status === SWITCHING_PROTOCOLS) return onHead(undefined, NOTHING)
    if (head.status >= 200) return onHead(head, rest)
    if (++interims > INTERIMS_MAX) return onHead(undefined, NOTHING)
    if (rest.length > 0) take(rest)
  }
  return {
    take,
    expect() {
      held = undefined
      interims = 0
    },
  }
}

interface BodyReader {
  /** Answers where it ended, or the number of bytes when more is to come. */
  readonly take: (bytes: Buffer) => number
  readonly state: () => 'open' | 'over' | 'broken'
  readonly isUntilClosed: boolean
}

function openBody(kind: ParsedHead['body'], onBody: (bytes: Buffer) => void): BodyReader {
  if (kind === 'chunked') return { ...openChunkedBody(onBody), isUntilClosed: false }
  let left = kind === 'until closed' ? Infinity : kind
  return {
    isUntilClosed: kind === 'until closed',
    state: () => (left > 0 ? 'open' : 'over'),
    take(bytes) {
      const its = bytes.length > left ? bytes.subarray(0, left) : bytes
      left -= its.length
      if (its.length > 0) onBody(its)
      return its.length
    },
  }
}

/** Whether more may make it the head of an answer. */
function isBeginning(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, BEGINNING.length)
  return BEGINNING.startsWith(text) && !LONE_FEED.test(bytes.toString('latin1'))
}
