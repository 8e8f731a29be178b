import { askOnce, type MetadataAnswer } from './metadata-call.ts'
import type { WorkloadIdentity } from './workload-identity.ts'

/**
 * The metadata service of the cloud in which this process runs. It gives credentials to whoever asks from this host, so
 * the address policy admits it to nobody, and this port exists only where the operator has turned it on.
 */
export interface Metadata {
  /** Throws when there is no answer in time. */
  readonly ask: (call: MetadataCall) => Promise<MetadataAnswer>
  /** Of the container in which this process runs, which goes before the identity of the machine. */
  readonly workload: WorkloadIdentity
}

export interface MetadataCall {
  readonly method: 'GET' | 'PUT'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The same for AWS, Azure and Google Cloud. */
const ADDRESS = 'http://169.254.169.254'

export const openMetadata = (workload: WorkloadIdentity, address = ADDRESS): Metadata => ({
  workload,
  ask: ({ path, ...call }) => askOnce(address + path, call),
})
