const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** One Ctrl-C arrives several times: the terminal signals the whole group, and npm passes its own on. */
const SAME_SIGNAL_MS = 500
const EXIT_INTERRUPTED = 130

/** Resolves at SIGINT, SIGTERM or SIGHUP, or when the parent process is gone. A second signal exits at once. */
export function askedToStop(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let askedAt: number | undefined
  const ask = (reason: string): void => {
    const now = performance.now()
    if (askedAt !== undefined && now - askedAt > SAME_SIGNAL_MS) process.exit(EXIT_INTERRUPTED)
    askedAt ??= now
    resolve(reason)
  }
  for (const signal of SIGNALS) process.on(signal, () => ask(signal))
  process.on('disconnect', () => resolve('the process that started this one ended'))
  process.channel?.unref()
  return promise
}

/** Calls `release` when the process is asked to stop, and then exits. The returned function calls it without exiting. */
export function releaseWhenAsked(release: () => Promise<void>): () => Promise<void> {
  let released: Promise<void> | undefined
  const once = (): Promise<void> => (released ??= release())
  void askedToStop()
    .then(once)
    .finally(() => process.exit(EXIT_INTERRUPTED))
  return once
}
