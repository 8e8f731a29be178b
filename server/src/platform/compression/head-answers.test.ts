import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { addCompression } from './compression.ts'
import { addHeadAnswers } from './head-answers.ts'

test.each(['', 'gzip'])(
  'HEAD lets go of a stream that it would not send (accept-encoding: %j)',
  async (coding) => {
    const endless = new Readable({ read() {} })
    const app = Fastify()
    addCompression(app)
    addHeadAnswers(app)
    app.get('/', async (_, reply) => {
      reply.isCompressible = true
      return reply.type('text/plain').send(endless)
    })
    const { statusCode, headers } = await app.inject({
      method: 'HEAD',
      url: '/',
      headers: { 'accept-encoding': coding },
    })
    expect([statusCode, headers['content-type'], headers['content-length']]).toEqual([
      200,
      'text/plain',
      undefined,
    ])
    expect(headers['content-encoding']).toBe(coding || undefined)
    expect(endless.destroyed).toBe(true)
  },
)
