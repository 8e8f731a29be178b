import ssh2, { type ConnectConfig } from 'ssh2'

/** The library is CommonJS, whose names Node cannot always see; they are taken apart here once. */
export const { Client } = ssh2
export const { parseKey } = ssh2.utils

export type {
  AnyAuthMethod,
  AuthHandlerMiddleware,
  Client as ClientType,
  ClientChannel,
  ParsedKey,
} from 'ssh2'
export type Algorithms = NonNullable<ConnectConfig['algorithms']>
export type { NegotiatedAlgorithms } from 'ssh2'
