/** Values are names, numbers and ids of ours: never a secret, a query, or what devices and people wrote. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer'
  readonly attributes?: TraceAttributes
  /** A `traceparent` of W3C Trace Context, of another process or an earlier time; ignored where it is none. */
  readonly parent?: string | undefined
}

/** Where spans begin: at the top of a trace, or within another span. */
export interface Trace {
  readonly begin: (name: string, options?: SpanOptions) => Span
}

/** Work with a beginning and an end, as tracing tools show it. */
export interface Span extends Trace {
  /** For whoever goes on with the work later or elsewhere. */
  readonly traceparent: string
  readonly traceId: string
  readonly note: (attributes: TraceAttributes) => void
  /** The name and message of an error may hold what somebody wrote: only its class is told. */
  readonly fail: (error: unknown) => void
  readonly end: () => void
}

/** Does `work` as a span within the one of `ctx`; as it is where nothing is traced. */
export async function traced<C extends { readonly trace?: Trace }, T>(
  ctx: C,
  name: string,
  { work, ...options }: SpanOptions & { readonly work: (ctx: C) => Promise<T> },
): Promise<T> {
  if (!ctx.trace) return work(ctx)
  const span = ctx.trace.begin(name, options)
  try {
    return await work({ ...ctx, trace: span })
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** Of a context that acts within a span. */
export const traceparentOf = ({ trace }: { readonly trace?: Trace | Span }): string | undefined =>
  trace && 'traceparent' in trace ? trace.traceparent : undefined
