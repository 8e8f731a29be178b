import { features } from '../../src/app.ts'
import { platformTables, type Tables } from '../../src/platform/database/tables.ts'

/** All tables, by name. */
export const tables: Tables = Object.assign({}, platformTables, ...features.map((it) => it.tables))

export const tablesOfTenants = Object.keys(tables).filter((name) => tables[name] === 'tenant')
