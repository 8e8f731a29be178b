import { present, type Json, type JsonObject } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { answersOf, numberOf, textOf } from './answers.ts'

const LIST_MAX = 2_000
const PORTS_MAX = 1_000
/** Ports that Windows gives to clients: they differ from minute to minute. */
const EPHEMERAL_FROM = 49_152

/** Services that are started at boot. The suffix of services for one user differs with each session. */
export async function services(machine: Machine): Promise<Json> {
  const { rows } = await answersOf(machine)
  const names = rows('services')
    .filter((it) => textOf(it, 'StartMode') === 'Auto')
    .map((it) => textOf(it, 'Name').replace(/_[0-9a-f]{4,8}$/, ''))
  return [...new Set(names)]
    .toSorted()
    .slice(0, LIST_MAX)
    .map((name) => ({ name, startsAtBoot: true }))
}

/** TCP ports that listen and UDP ports that are bound, with the program. */
export async function listeningPorts(machine: Machine): Promise<Json> {
  const { rows } = await answersOf(machine)
  const programs = new Map(rows('processes').map((it) => [numberOf(it, 'Id'), textOf(it, 'ProcessName')]))
  const found = (['tcp', 'udp'] as const).flatMap((protocol) =>
    rows(protocol).flatMap((it): [string, JsonObject][] => {
      const [port, address] = [numberOf(it, 'LocalPort'), textOf(it, 'LocalAddress').replace(/%.*$/, '')]
      if (port === undefined || port === 0 || port >= EPHEMERAL_FROM) return []
      const program = programs.get(numberOf(it, 'OwningProcess'))
      return [[`${protocol} ${port} ${address}`, present({ protocol, address, port, program })]]
    }),
  )
  return [...new Map(found)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, PORTS_MAX)
    .map(([, it]) => it)
}
