import { element, integer, Malformed, objectIdentifier, tags, type Reader } from './ber.ts'
import type { Oid } from './oid.ts'

/** Protocol data units of RFC 3416, and of RFC 1157, which has neither `getBulk` nor `report`. */
export const pduTags = { get: 0xa0, getNext: 0xa1, response: 0xa2, getBulk: 0xa5, report: 0xa8 } as const

/** Reading only: nothing here can change a device. */
export interface Question {
  readonly kind: 'get' | 'getNext' | 'getBulk'
  readonly oids: readonly Oid[]
  /** Of `getBulk`: how many successors of each. */
  readonly repetitions?: number
}

/** Numbers of every kind; octets, addresses and what is unknown as bytes; `null`: the agent has no such thing. */
export type Value = number | Buffer | Oid | null

export interface Variable {
  readonly oid: Oid
  readonly tag: number
  readonly value: Value
}

export interface Answer {
  readonly isReport: boolean
  readonly id: number
  /** RFC 3416, 3: 0 is none. */
  readonly errorStatus: number
  /** Counted from 1; 0: none of the variables. */
  readonly errorIndex: number
  readonly variables: readonly Variable[]
}

/** One packet has no room for more; it guards against packets that are all headers. */
const VARIABLES_MAX = 8_192

export function writePdu(id: number, { kind, oids, repetitions = 0 }: Question): Buffer {
  const variables = oids.map((oid) =>
    element(tags.sequence, objectIdentifier(oid), Buffer.from([tags.null, 0])),
  )
  return element(
    pduTags[kind],
    integer(id),
    integer(0),
    integer(kind === 'getBulk' ? repetitions : 0),
    element(tags.sequence, ...variables),
  )
}

/** Throws `Malformed`. */
export function readPdu(reader: Reader): Answer {
  const isReport = reader.tag === pduTags.report
  const inside = reader.enter(isReport ? pduTags.report : pduTags.response)
  const id = inside.integer()
  const errorStatus = inside.integer()
  const errorIndex = inside.integer()
  const list = inside.enter(tags.sequence)
  const variables: Variable[] = []
  while (!list.isAtEnd) {
    if (variables.length >= VARIABLES_MAX) throw new Malformed('more variables than a packet holds')
    variables.push(readVariable(list.enter(tags.sequence)))
  }
  return { isReport, id, errorStatus, errorIndex, variables }
}

function readVariable(reader: Reader): Variable {
  const oid = reader.oid()
  const { tag } = reader
  return { oid, tag, value: readValue(reader, tag) }
}

function readValue(reader: Reader, tag: number): Value {
  switch (tag) {
    case tags.integer:
    case tags.counter32:
    case tags.gauge32:
    case tags.timeTicks:
    case tags.counter64:
      return reader.integer(tag)
    case tags.oid:
      return reader.oid()
    case tags.null:
    case tags.noSuchObject:
    case tags.noSuchInstance:
    case tags.endOfMibView:
      return reader.octets(tag) && null
    default:
      return reader.octets(tag)
  }
}
