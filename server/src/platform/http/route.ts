import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Ctx } from '../context.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An endpoint that will be removed. The answers say so in headers; after the sunset it is answered with 410. */
export interface Deprecation {
  /** Day (UTC) from which it is deprecated: `2026-03-14`. */
  readonly since: string
  /** Day (UTC) from which it is gone; docs/api-versions.md says how long after `since` at the earliest. */
  readonly sunset: string
  /** Address of what to use instead, absolute or a path of this server. */
  readonly link: string
}

/** As the API document writes it: `/assets/{id}`. */
export const bracedPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

export interface Shape<Q extends TSchema, B extends TSchema> {
  /** One sentence for the API document. */
  readonly summary: string
  readonly query?: Q
  readonly body?: B
  /** Status of success; 200 unless given. */
  readonly status?: number
  /** A request with an Idempotency-Key is carried out once. The verb then runs in one transaction, away from the network. */
  readonly takesIdempotencyKey?: true
  readonly deprecated?: Deprecation
  /** The scope that a confined key needs (authentication.ts); absent: no such key may come here. */
  readonly confinedScope?: string
  /** Refuses ids of which there is nothing, before the body is read: 404 goes before 400. */
  readonly findFirst?: (ctx: Ctx, params: Readonly<Record<string, string>>) => Promise<unknown>
  /** The id in the path is not looked at, so anything may stand there. */
  readonly takesAnyId?: true
  /** A GET that may be refused with 409: what it asks for is not there yet. */
  readonly mayConflict?: true
  /** Headers of the reply beside those of all replies and of lists, with a sentence for the API document. */
  readonly replyHeaders?: Readonly<Record<string, string>>
  /** Schema of the JSON reply, or the media types that a file may have, such as `text/csv`. */
  readonly reply: TSchema | string | readonly string[]
}

/** The media types of a reply that is a file; undefined when it is JSON. */
export const mediaTypesOf = ({ reply }: Shape<TSchema, TSchema>): readonly string[] | undefined =>
  typeof reply === 'string' ? [reply] : Array.isArray(reply) ? (reply as readonly string[]) : undefined

export interface Input<Q extends TSchema, B extends TSchema> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Static<Q>
  readonly body: Static<B>
  /** The headers alone are asked for: a GET that has an effect leaves it out (RFC 9110 §9.2.1). */
  readonly isHead: boolean
}

/** What a handler answers: a JSON value, and headers beside it; or a file. */
export interface Reply {
  readonly json?: unknown
  readonly file?: ReplyFile
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReplyFile {
  readonly mediaType: string
  readonly content: string | Buffer | Readable
  /** Of content whose length is known before it is read; it is sent as it is stored, without compression. */
  readonly bytes?: number
}

/** An endpoint as data: the router, the API document and the tests that walk all endpoints read it. */
export interface Route {
  readonly method: Method
  /** Below /api/v1, with `:name` parameters. The first parameter named `id` or ending in `Id` must be a UUID, else 404, unless the shape takes any. */
  readonly path: string
  readonly shape: Shape<TSchema, TSchema>
  readonly handle: (ctx: Ctx, input: Input<TSchema, TSchema>) => Promise<Reply>
}

/** Declares an endpoint. `handle` maps the input, calls one verb and maps the answer. */
export function route<Q extends TSchema, B extends TSchema>(
  method: Method,
  path: string,
  shape: Shape<Q, B>,
  handle: (ctx: Ctx, input: Input<Q, B>) => Promise<Reply>,
): Route {
  return { method, path, shape, handle: handle as Route['handle'] }
}
