import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Answers HEAD with what GET would say, added after the hooks that change the content. Fastify alone would read a stream
 * to its end, which that of live news never reaches, and would say of 304 that the content has no bytes.
 */
export function addHeadAnswers(app: FastifyInstance): void {
  app.addHook('onSend', withoutContent)
}

async function withoutContent(
  { method }: FastifyRequest,
  { statusCode }: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const isStream = payload instanceof Readable
  if (method !== 'HEAD' || (!isStream && statusCode !== 304)) return payload
  if (isStream) payload.destroy()
  // A stream is what Fastify says no length of.
  return Readable.from([])
}
