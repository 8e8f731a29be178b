import { createServer } from 'node:net'

/** Listens, with room for one connection that is not accepted yet; its parent stops it before it accepts any. */
const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
