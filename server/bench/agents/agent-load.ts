import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { FleetHost } from './agent-fleet.ts'
import { AGENT_SIGNATURE, type AgentSignature } from './agent-signature.ts'

/** Agents in a process of their own: each report is signed and sent over a connection of its own. */
export interface AgentLoad {
  readonly address: string
  readonly hosts: readonly FleetHost[]
  readonly reports: number
  /** A second; 0: all at once. */
  readonly rate: number
  /** Of the first report of each host; each further one has a greater one. */
  readonly counterFrom: number
}

export interface AgentsLoaded {
  readonly seconds: number
  /** From the moment at which each report was due to its answer, of those that were taken. */
  readonly milliseconds: readonly number[]
  /** How often each status was answered; `0`: none. */
  readonly statuses: Readonly<Record<string, number>>
  /** Of the first answers that were no 200, what they said. */
  readonly faults: readonly string[]
}

const PATH = '/agent/v1/report'
/** Connections at once; the kernel holds the others back. */
const SOCKETS_MAX = 2_000
const FAULTS_MAX = 5

process.on('disconnect', () => process.exit())
process.on('message', (load: AgentLoad) => {
  void send(load).then((loaded) => process.send?.(loaded))
})

async function send({ address, hosts, reports, rate, counterFrom }: AgentLoad): Promise<AgentsLoaded> {
  const { keyFrom, signatureHeaders } = (await import(AGENT_SIGNATURE)) as AgentSignature
  const keys = hosts.map(({ seed }) => keyFrom(Buffer.from(seed, 'hex')))
  const bodies = hosts.map(({ body }) => gzipSync(body))
  const agent = new Agent({ keepAlive: false, maxSockets: SOCKETS_MAX })
  const statuses: Record<string, number> = {}
  const milliseconds: number[] = []
  const faults: string[] = []
  const begunAt = performance.now()
  const report = async (n: number, dueAt: number): Promise<void> => {
    const at = n % hosts.length
    const [key, body] = [keys[at], bodies[at]]
    if (!key || !body) return
    const counter = counterFrom + Math.floor(n / hosts.length)
    const created = Math.floor(Date.now() / 1_000)
    const headers = signatureHeaders(key, { path: PATH, body, counter, created })
    const { status, text } = await post(new URL(PATH, address), { agent, headers, body })
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 200) milliseconds.push(performance.now() - dueAt)
    else if (faults.length < FAULTS_MAX) faults.push(`${status} ${text}`)
  }
  const all: Promise<void>[] = []
  for (let n = 0; n < reports; n++) {
    const dueAt = rate === 0 ? begunAt : begunAt + (n * 1_000) / rate
    const wait = dueAt - performance.now()
    if (wait > 0) await sleep(wait)
    all.push(report(n, dueAt))
  }
  await Promise.all(all)
  agent.destroy()
  return { seconds: (performance.now() - begunAt) / 1_000, milliseconds, statuses, faults }
}

interface Posting {
  readonly agent: Agent
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

async function post(url: URL, { agent, headers, body }: Posting): Promise<{ status: number; text: string }> {
  const coded = { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' }
  try {
    const asking = request(url, { method: 'POST', agent, headers: coded })
    asking.end(body)
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8').slice(0, 200) }
  } catch (error) {
    return { status: 0, text: String(error) }
  }
}
