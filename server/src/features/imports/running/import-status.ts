export const importStatuses = [
  'uploading',
  'checking',
  'ready',
  'waiting',
  'running',
  'completed',
  'failed',
  'cancelled',
] as const
export type ImportStatus = (typeof importStatuses)[number]

/** Those of which something may still come. */
export const unfinished: readonly ImportStatus[] = ['uploading', 'checking', 'ready', 'waiting', 'running']
/** Those that a worker has, or will have. */
export const forWorkers: readonly ImportStatus[] = ['checking', 'waiting', 'running']
