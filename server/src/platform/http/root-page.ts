import type { FastifyInstance } from 'fastify'

/** Answers `GET /` with a plain text for clients that are no browsers; a browser gets the page of the app there. */
export function addRootText(app: FastifyInstance, text: string): void {
  const config = { isOutside: true } as const
  app.get('/', { config }, (_, reply) => reply.type('text/plain; charset=utf-8').send(text))
}

/** Answers `GET /.well-known/rollcall.json`: the keys that sign for this installation, for everybody. */
export function addSigningKeys(app: FastifyInstance, read: () => Promise<unknown>): void {
  const config = { isOutside: true } as const
  app.get('/.well-known/rollcall.json', { config }, (_, reply) =>
    read().then((keys) => reply.header('cache-control', 'public, max-age=300').send(keys)),
  )
}
