import { availableParallelism, totalmem } from 'node:os'

export interface Machine {
  readonly memoryBytes: number
  readonly cpus: number
}

const MB = 1024 * 1024

/** This machine, or the part of it that the container may use. */
export function thisMachine(): Machine {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return { memoryBytes: Math.min(totalmem(), limit), cpus: availableParallelism() }
}

/** Settings for an inventory of a million assets on a small machine that PostgreSQL shares with the server itself. */
export function settingsFor({ memoryBytes, cpus }: Machine): string[] {
  const share = (part: number, leastMb: number, mostMb: number): string =>
    `${Math.round(Math.min(mostMb, Math.max(leastMb, (memoryBytes * part) / MB)))}MB`
  return [
    // a quarter is the manual's advice; beyond 2 GB the hot rows of a million assets all fit
    `shared_buffers=${share(1 / 4, 64, 2048)}`,
    // the planner's estimate of PostgreSQL's and the kernel's cache; the rest of the memory is for the Rollcall process
    `effective_cache_size=${share(1 / 2, 128, 65_536)}`,
    // per sort or hash of each of some 20 sessions, so that their sum stays below a sixth of the memory
    `work_mem=${share(1 / 512, 4, 32)}`,
    // one index build at a time, during a migration; enough to build the trigram index without spilling
    `maintenance_work_mem=${share(1 / 16, 32, 512)}`,
    // dead row ids are stored compactly since 17; three workers with the value above would be too much
    'autovacuum_work_mem=64MB',
    // an import or a bulk load writes gigabytes: fewer forced checkpoints, fewer full pages written
    'max_wal_size=2GB',
    'min_wal_size=128MB',
    'checkpoint_timeout=15min',
    // solid-state disks, where a random page costs hardly more than the next one
    'random_page_cost=1.1',
    // the statements are short; compiling one costs more than it saves
    'jit=off',
    // the default waits for a fifth of a table, 200,000 dead rows in a million; pages of lists rely on fresh
    // visibility maps for their exact totals
    'autovacuum_vacuum_scale_factor=0.02',
    'autovacuum_vacuum_insert_scale_factor=0.02',
    'autovacuum_analyze_scale_factor=0.02',
    'autovacuum_naptime=15s',
    `autovacuum_max_workers=${Math.min(3, Math.max(1, cpus - 1))}`,
    // processes that read ahead on cold disks (with warm caches `sync` measured the same); more of them than
    // processors would only compete with the queries they serve
    'io_method=worker',
    `io_workers=${Math.min(3, cpus)}`,
    // errors of statements go to the client; the log file records starts, stops and crashes of the server
    'log_min_messages=log',
    'log_checkpoints=off',
  ]
}
