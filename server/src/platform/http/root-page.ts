import type { FastifyInstance } from 'fastify'

/** Answers `GET /` with a plain text for clients that are no browsers; a browser gets the page of the app there. */
export function addRootText(app: FastifyInstance, text: string): void {
  const config = { isOutside: true } as const
  app.get('/', { config }, (_, reply) => reply.type('text/plain; charset=utf-8').send(text))
}
