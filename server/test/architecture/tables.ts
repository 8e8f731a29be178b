import { DOOR } from './floors.ts'
import {
  codeOf,
  declaredTables,
  importsOf,
  isStore,
  orderOf,
  roomOf,
  type Files,
  type Rule,
} from './source-files.ts'

const WRITE =
  /\b(?:insert\s+into|update(?:\s+only)?|delete\s+from|truncate(?:\s+table)?|copy|merge\s+into)\s+(?:only\s+)?"?([a-z_]+)"?/gi
const CREATE =
  /^create (?:unlogged )?table (?:if not exists )?([a-z_]+)(?! partition of)\b(?! partition of)/gim
const RENAME = /^alter table (\w+) rename to (\w+)/gm
const DROP = /^drop table (\w+);/gm
const MIGRATION = /^migrations\/(\d{4})-(.+)\.sql$/

/** Who speaks SQL, and about which tables. */
export const tables: readonly Rule[] = [
  {
    name: 'in a feature, SQL stands in its store',
    check: (files) =>
      importsOf(files)
        .filter(
          ({ from, to, isType }) =>
            roomOf(from) && !isType && (to === 'pg' || to === 'kysely') && !isStore(from),
        )
        .map(({ from, to }) => `${from} -> ${to}`),
    offence: { 'src/features/audit/audit.ts': `import { sql } from 'kysely'` },
  },
  {
    name: 'a store calls nobody: no verb, no door, no other feature',
    check: (files) =>
      importsOf(files)
        .filter(({ from, to, isType }) => isStore(from) && !isType && roomOf(to) && mayDecide(from, to))
        .map(({ from, to }) => `${from} -> ${to}`),
    offence: { 'src/features/audit/store.ts': `import { record } from './audit.ts'` },
  },
  {
    name: 'a table is written by the store of its owner',
    check(files) {
      const owners = ownersOf(files)
      return codeOf(files).flatMap(([path, text]) =>
        [...text.matchAll(WRITE)].flatMap(([, name = '']) => {
          const owner = owners.get(name.toLowerCase())
          if (!owner) return []
          const isOwn =
            owner === 'platform' ? path.startsWith('src/platform/') : isStore(path) && roomOf(path) === owner
          return isOwn ? [] : [`${path} writes ${name} of ${owner}`]
        }),
      )
    },
    offence: {
      'src/features/events/store.ts': 'sql`insert into audit_entries (id) values (1)`',
      'src/platform/jobs/queue.ts': 'sql`copy audit_entries from stdin`',
      'src/features/audit/audit.ts': 'sql`delete\n from audit_entries`',
    },
  },
  {
    name: 'the keys of advisory locks stand in one file',
    check: (files) =>
      codeOf(files).flatMap(([path, text]) =>
        [...text.matchAll(/pg_(?:try_)?advisory\w*\(\s*(['"\d][^)]*|\$\{(?!ADVISORY_LOCK)[^}]*\})/g)].map(
          ([call]) => `${path}: ${call}`,
        ),
      ),
    offence: { 'src/features/audit/store.ts': 'sql`select pg_advisory_xact_lock(7, 1)`' },
  },
  {
    name: 'nobody listens to the database but listen-notify.ts',
    check: (files) =>
      codeOf(files)
        .filter(
          ([path, text]) =>
            path !== 'src/platform/database/notify/listen-notify.ts' &&
            /['"`]\s*listen\s+\S+\s*['"`]/i.test(text),
        )
        .map(([path]) => path),
    offence: { 'src/platform/jobs/queue.ts': "client.query('listen jobs')" },
  },
  {
    name: 'a migration is named for its owner, and its number follows the one before',
    check(files) {
      const owners = new Set(['platform', ...orderOf(files)])
      const names = migrationsOf(files).map(([path]) => path)
      return names.flatMap((path) => {
        const [, number, name = ''] = MIGRATION.exec(path) ?? []
        if (!number) return [`${path}: not NNNN-owner.sql`]
        const owner = ownerOfMigration(name, owners)
        const isTaken = names.some((other) => other !== path && MIGRATION.exec(other)?.[1] === number)
        return [
          ...(owner ? [] : [`${path}: no such feature`]),
          ...(isTaken ? [`${path}: ${number} is taken twice`] : []),
        ]
      })
    },
    offence: {
      'migrations/0002-gadgets.sql': 'select 1',
      'migrations/more.sql': 'select 1',
    },
  },
  {
    name: 'a table is declared by the one feature whose migration creates it',
    check(files) {
      const created = createdTables(files)
      const declared = [...declaredTables(files)].flatMap(([room, names]) =>
        names.map((name) => ({ room, name })),
      )
      return [
        ...declared
          .filter(({ room, name }) => created.get(name) !== room)
          .map(
            ({ room, name }) => `${room} declares ${name}, which ${created.get(name) ?? 'nobody'} creates`,
          ),
        ...[...created]
          .filter(([name, owner]) => owner !== 'platform' && !declared.some((it) => it.name === name))
          .map(([name, owner]) => `${owner} creates ${name} and does not declare it`),
      ]
    },
    offence: {
      'src/features/events/feature.ts': `export const events = { tables: { events: 'engine', audit_entries: 'tenant' } }`,
      'migrations/0099-audit-more.sql': 'create table audit_more (id int)',
    },
  },
]

const mayDecide = (from: string, to: string): boolean =>
  roomOf(from) !== roomOf(to) || DOOR.test(to) || to === `src/features/${roomOf(to)}/${roomOf(to)}.ts`

const migrationsOf = (files: Files): [string, string][] =>
  [...files].filter(([path]) => path.startsWith('migrations/'))

/** The longest feature name that the migration's name begins with. */
const ownerOfMigration = (name: string, owners: ReadonlySet<string>): string | undefined =>
  [...owners]
    .filter((owner) => name === owner || name.startsWith(`${owner}-`))
    .toSorted((a, b) => b.length - a.length)[0]

function createdTables(files: Files): Map<string, string> {
  const owners = new Set(['platform', ...orderOf(files)])
  const renamed = new Map(
    migrationsOf(files).flatMap(([, text]) =>
      [...text.matchAll(RENAME)].map(([, from = '', to = '']) => [from, to] as const),
    ),
  )
  const dropped = new Set(
    migrationsOf(files).flatMap(([, text]) => [...text.matchAll(DROP)].map(([, name = '']) => name)),
  )
  const created = new Map(
    migrationsOf(files).flatMap(([path, text]) => {
      const owner = ownerOfMigration(MIGRATION.exec(path)?.[2] ?? '', owners) ?? 'nobody'
      return [...text.matchAll(CREATE)].map(([, name = '']) => [renamed.get(name) ?? name, owner] as const)
    }),
  )
  return new Map([...created].filter(([name]) => !dropped.has(name)))
}

function ownersOf(files: Files): Map<string, string> {
  const declared = [...declaredTables(files)].flatMap(([room, names]) =>
    names.map((name) => [name, room] as const),
  )
  return new Map([...createdTables(files), ...declared])
}
