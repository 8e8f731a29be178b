import { join } from 'node:path'

/** The folder of the SQL files that make the database what this version needs. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations')
