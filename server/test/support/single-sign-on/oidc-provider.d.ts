/** What the tests use of it; the package comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export type Configuration = Readonly<Record<string, unknown>>

  // oxlint-disable-next-line import/no-default-export
  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
