import { call } from '#api/client.ts'
import { ApiError } from '#api/errors.ts'

const FILE_BYTES_MAX = 20_000_000
/** Sent at once: little enough that a slow line gets it through before the server stops waiting. */
const PART_BYTES = 1_000_000
const TRIES_MAX = 4
const PAUSE_MS = 1_000

interface Uploaded {
  readonly id: string
  /** Of the bytes, how many have arrived. */
  readonly received: number
}

/**
 * Brings a file to the server in parts, each of which may be sent again: the key makes it one upload. Tells after each
 * part how much of the file is there, 0 to 1; answers the id of the import.
 */
export async function uploadInChunks(file: File, onShare: (share: number) => void): Promise<string> {
  if (file.size > FILE_BYTES_MAX) throw new ApiError('invalid_request', 'It is larger than 20 MB')
  if (file.size === 0) throw new ApiError('invalid_request', 'It is empty')
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const query = { name: file.name, key, bytes: String(file.size) }
  let uploaded: Uploaded = { id: '', received: 0 }
  while (uploaded.received < file.size) {
    const at = uploaded.received
    const path = `/files/imports?${new URLSearchParams({ ...query, at: String(at) }).toString()}`
    uploaded = await withRetries(() =>
      call('POST', path, { body: file.slice(at, at + PART_BYTES), type: 'application/octet-stream' }),
    )
    onShare(uploaded.received / file.size)
  }
  return uploaded.id
}

/** A line that fails for a moment does not end the upload. */
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
