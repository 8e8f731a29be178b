import { call } from './client.ts'
import { ApiError } from './errors.ts'

const FILE_BYTES_MAX = 20_000_000
/** Size of one chunk in bytes: small enough to be sent over a slow connection before the server times out. */
const PART_BYTES = 1_000_000
const TRIES_MAX = 4
const PAUSE_MS = 1_000

interface Upload {
  readonly file: File
  /** A path in the organisation. */
  readonly to: string
  /** Further parameters. */
  readonly about?: Readonly<Record<string, string>>
}

interface Uploaded {
  readonly id: string
  /** Number of bytes received. */
  readonly received: number
}

/**
 * Uploads a file in chunks, each of which can be repeated: the idempotency key makes them one upload. Reports the
 * progress, 0 to 1, after each chunk; returns the id of what the file became.
 */
export async function uploadInChunks(
  { file, to, about = {} }: Upload,
  onShare: (share: number) => void,
): Promise<string> {
  if (file.size > FILE_BYTES_MAX) throw new ApiError('invalid_request', 'It is larger than 20 MB')
  if (file.size === 0) throw new ApiError('invalid_request', 'It is empty')
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const query = { ...about, name: file.name, key, bytes: String(file.size) }
  let uploaded: Uploaded = { id: '', received: 0 }
  while (uploaded.received < file.size) {
    const at = uploaded.received
    const path = `${to}?${new URLSearchParams({ ...query, at: String(at) }).toString()}`
    uploaded = await withRetries(() =>
      call('POST', path, { body: file.slice(at, at + PART_BYTES), type: 'application/octet-stream' }),
    )
    onShare(uploaded.received / file.size)
  }
  return uploaded.id
}

/** Retries temporary failures. */
async function withRetries(send: () => Promise<unknown>): Promise<Uploaded> {
  for (let tries = 1; ; tries++) {
    try {
      return (await send()) as Uploaded
    } catch (error) {
      const mayPass = error instanceof ApiError && ['unreachable', 'unavailable'].includes(error.code)
      if (!mayPass || tries === TRIES_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries))
    }
  }
}
