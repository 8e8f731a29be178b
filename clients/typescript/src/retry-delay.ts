const WAIT_MS = 1_000
const WAIT_MS_MAX = 120_000

/**
 * How long to wait before the same request is sent again; undefined: not at all. What was refused for its rate (429) was
 * not carried out. When the server is unavailable (503) it may have been, so only what may be repeated is.
 */
export function retryDelayMs(answer: Response, isRepeatable: boolean): number | undefined {
  if (answer.status !== 429 && !(answer.status === 503 && isRepeatable)) return undefined
  const header = answer.headers.get('retry-after')
  if (header === null) return WAIT_MS
  const seconds = Number(header)
  const delay = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(delay) ? WAIT_MS : Math.min(Math.max(delay, 0), WAIT_MS_MAX)
}
