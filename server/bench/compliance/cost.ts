import type { DatabaseClock } from './database-cost.ts'

export interface Cost {
  readonly seconds: number
  /** Of CPU, of the database. */
  readonly database: number
  /** Of CPU, of the process that evaluates. */
  readonly program: number
}

export async function costOf(clock: DatabaseClock, work: () => Promise<unknown>): Promise<Cost> {
  const [begunAt, database, program] = [performance.now(), clock(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(program)
  return {
    seconds: (performance.now() - begunAt) / 1_000,
    database: clock() - database,
    program: (user + system) / 1_000_000,
  }
}
