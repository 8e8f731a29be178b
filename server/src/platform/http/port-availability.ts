import { createServer } from 'node:net'

export type PortState = 'free' | 'taken' | 'forbidden' | 'no such address'

/** Tries to listen there for a moment. */
export function portState(host: string, port: number): Promise<PortState> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const state = reasonOf(error)
      if (state) resolve(state)
      else reject(error)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')))
  })
}

/** Why a server cannot listen, as one of the states; undefined for any other error. */
export function reasonOf(error: NodeJS.ErrnoException): PortState | undefined {
  if (error.code === 'EADDRINUSE') return 'taken'
  if (error.code === 'EACCES') return 'forbidden'
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return 'no such address'
  return undefined
}
