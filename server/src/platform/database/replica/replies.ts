import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Ctx } from '../../context.ts'
import { isUuid } from '../../uuid.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request may have written. */
    writer: Ctx | undefined
  }
}

/** Header with the earliest moment whose data is in the answer, RFC 3339. Sent only where the operator has set a replica. */
const DATA_AS_OF = 'x-data-as-of'

/** Before the answer to a write is sent, it is noted that its caller wrote, so that the caller's next reads see it. */
export function addWriterNotes(app: FastifyInstance): void {
  app.decorateRequest('writer', undefined)
  app.addHook('onSend', async ({ writer }) => {
    if (writer && isUuid(writer.actor.id)) await writer.replica?.noteWrite(writer.actor.id)
  })
}

/** The context of a request whose answer says of which moment its data is. */
export function replyingAsOf(reply: FastifyReply, ctx: Ctx): Ctx {
  if (!ctx.replica) return ctx
  let earliest = Infinity
  return {
    ...ctx,
    noteDataAsOf(at) {
      earliest = Math.min(earliest, Date.parse(at))
      reply.header(DATA_AS_OF, new Date(earliest).toISOString())
    },
  }
}
