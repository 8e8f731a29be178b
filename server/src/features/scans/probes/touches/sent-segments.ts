import { execFile } from 'node:child_process'

/** What the kernel says of an open TCP connection. */
export interface SentSegments {
  /** `ESTAB`, `FIN-WAIT-1`, `CLOSE-WAIT`, … */
  readonly state: string
  /** Segments that this machine sent on it so far, repeated ones and bare acknowledgements among them (RFC 4898). */
  readonly segments: number
}

/** The ends of a connection, as a socket names them. */
export interface Connection {
  readonly localPort: number
  readonly remoteAddress: string
  readonly remotePort: number
}

const PATIENCE_MS = 2_000
/** Questions are gathered for so long, and so many at most, because each costs a process. */
const GATHER_MS = 20
const BATCH = 100

/** Asks the kernel about connections, by `ss` of iproute2. */
export class SegmentReader {
  #batch: { readonly connection: Connection; readonly tell: (found: SentSegments | undefined) => void }[] = []
  #gathering: NodeJS.Timeout | undefined

  /** Undefined where there is no `ss`, or the connection is over. */
  read(connection: Connection): Promise<SentSegments | undefined> {
    return new Promise((tell) => {
      this.#batch.push({ connection, tell })
      if (this.#batch.length === BATCH) this.#ask()
      else this.#gathering ??= setTimeout(() => this.#ask(), GATHER_MS)
    })
  }

  #ask(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const asked = this.#batch
    this.#batch = []
    const ports = asked.map(({ connection }) => `sport = :${connection.localPort}`).join(' or ')
    execFile('ss', ['-tinHO', ports], { timeout: PATIENCE_MS }, (error, stdout) => {
      for (const { connection, tell } of asked) tell(error ? undefined : readSentSegments(stdout, connection))
    })
  }
}

/** From lines such as `ESTAB 0 0 10.0.0.1:50000 10.0.0.2:22 cubic … segs_out:23 segs_in:25 …`. */
export function readSentSegments(
  text: string,
  { localPort, remoteAddress, remotePort }: Connection,
): SentSegments | undefined {
  for (const line of text.split('\n')) {
    const [state = '', , , local = '', remote = ''] = line.split(/\s+/)
    const at = remote.replaceAll(/[[\]]/g, '').replace(/^::ffff:/i, '')
    if (!local.endsWith(`:${localPort}`) || at !== `${remoteAddress.replace(/^::ffff:/i, '')}:${remotePort}`)
      continue
    const segments = / segs_out:(\d+)/.exec(line)?.[1]
    if (segments !== undefined) return { state, segments: Number(segments) }
  }
  return undefined
}
