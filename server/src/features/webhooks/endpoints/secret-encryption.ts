import type { Ctx } from '#platform/context.ts'
import type { CustomHeaders } from './custom-headers.ts'

/** Encryption of the secrets and custom headers of endpoints with `SECRET_KEY`. */

type Sealing = Pick<Ctx, 'seal'>

/** Associated data of the encryption: the ciphertext of one endpoint cannot be opened for another. */
export const sealContext = (part: 'secret' | 'headers', endpointId: string): string =>
  `webhook ${part} ${endpointId}`

export const sealSecret = ({ seal }: Sealing, endpointId: string, secret: string): Buffer =>
  seal.seal(secret, sealContext('secret', endpointId))

export const openSecret = ({ seal }: Sealing, endpointId: string, sealed: Buffer): string =>
  seal.open(sealed, sealContext('secret', endpointId))

/** Null without headers. */
export const sealHeaders = ({ seal }: Sealing, endpointId: string, headers: CustomHeaders): Buffer | null =>
  Object.keys(headers).length === 0
    ? null
    : seal.seal(JSON.stringify(headers), sealContext('headers', endpointId))

export const openHeaders = ({ seal }: Sealing, endpointId: string, sealed: Buffer | null): CustomHeaders =>
  sealed === null ? {} : (JSON.parse(seal.open(sealed, sealContext('headers', endpointId))) as CustomHeaders)
