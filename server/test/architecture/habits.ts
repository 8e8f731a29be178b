import { basename, dirname } from 'node:path'
import { codeOf, importsOf, isCode, roomOf, roomsOf, type Files, type Rule } from './source-files.ts'

const DRAWER =
  /^(types?|constants?|common|misc|shared|lib|index)\.ts$|(^|-)(utils?|helpers?|services?|managers?)\.ts$/
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/
const STATEMENT = /^(import|export \{) [^']*'[^']*'$/gm
const NETWORK = /^(node:(net|tls|dgram|http|https|http2|dns|dns\/promises)|undici(\/.*)?|multicast-dns)$/
/** These only look at text. */
const HARMLESS =
  /^\{ ?(type )?(isIP|isIPv4|isIPv6|BlockList|SocketAddress|getServers)(, (isIP|isIPv4|isIPv6|BlockList|SocketAddress))* ?\}$/

/** Names, shelves, and what is reached from where. */
export const habits: readonly Rule[] = [
  {
    name: 'no drawers: a file is named for the one idea it holds',
    check: (files) => [...files.keys()].filter((path) => DRAWER.test(basename(path))),
    offence: { 'src/platform/string-utils.ts': '', 'src/features/audit/types.ts': '' },
  },
  {
    name: 'files and folders are kebab-case',
    check: (files) =>
      [...files.keys()].filter(
        (path) =>
          !KEBAB.test(basename(path)) ||
          dirname(path)
            .split('/')
            .some((it) => !/^[a-z0-9-]+$/.test(it)),
      ),
    offence: { 'src/platform/bigFile.ts': '', 'src/features/audit/Old_things/one.ts': '' },
  },
  {
    name: 'every part of a shelf is on its list',
    check: (files) =>
      [...files.keys()]
        .filter((path) => roomOf(path) && basename(path) === 'all.ts')
        .flatMap((list) => {
          const listed = new Set(
            importsOf(files)
              .filter((it) => it.from === list)
              .map((it) => it.to),
          )
          // what other parts are made of is no part itself
          const used = new Set(
            importsOf(files)
              .filter(({ from }) => from.startsWith(`${dirname(list)}/`) && !from.endsWith('.test.ts'))
              .map(({ to }) => to),
          )
          return partsOf(files, dirname(list)).filter((path) => !listed.has(path) && !used.has(path))
        }),
    offence: {
      'src/features/audit/papers/all.ts': `import { one } from './one.ts'`,
      'src/features/audit/papers/paper.ts': '',
      'src/features/audit/papers/one.ts': '',
      'src/features/audit/papers/two.ts': '',
    },
  },
  {
    name: 'a front door has the name of its folder, says in its first sentence what the feature is, and has a test beside it',
    check: (files) =>
      roomsOf(files).flatMap((room) => {
        const door = `src/features/${room}/${room}.ts`
        const text = files.get(door)
        if (text === undefined) return [`${door} is missing`]
        return [
          ...(text.replaceAll(STATEMENT, '').trimStart().startsWith('/**')
            ? []
            : [`${door} says nothing first`]),
          ...(files.has(`src/features/${room}/${room}.test.ts`) ? [] : [`${door} has no test`]),
        ]
      }),
    offence: {
      'src/features/gadgets/feature.ts': '',
      'src/features/gizmos/gizmos.ts': 'export const gizmos = 1',
    },
  },
  {
    name: 'endpoints have a test beside them',
    check: (files) =>
      [...files.keys()].filter(
        (path) => path.endsWith('/rest.ts') && !files.has(path.replace('rest.ts', 'rest.test.ts')),
      ),
    offence: { 'src/features/gadgets/rest.ts': '' },
  },
  {
    name: 'the environment is read in config.ts',
    check: (files) =>
      codeOf(files)
        .filter(([path, text]) => path !== 'src/config.ts' && /process\.env\b/.test(text))
        .map(([path]) => path),
    offence: { 'src/features/audit/audit.ts': 'const home = process.env.HOME' },
  },
  {
    name: 'the network is reached through the platform and by probes',
    check: (files) =>
      importsOf(files)
        .filter(
          ({ from, to, names, isType }) =>
            NETWORK.test(to) && !isType && !HARMLESS.test(names) && !isOutlet(from),
        )
        .map(({ from, to }) => `${from} -> ${to}`),
    offence: { 'src/features/audit/audit.ts': `import { connect } from 'node:net'` },
  },
  {
    name: 'nothing is global: no module keeps state',
    check: (files) =>
      codeOf(files)
        .filter(([, text]) => /^(export )?(let|var) /m.test(text))
        .map(([path]) => path),
    offence: { 'src/features/audit/audit.ts': 'let counter = 0' },
  },
]

/** A shelf's parts are its files, without the list, the contract (the folder's name in the singular) and tests. */
const partsOf = (files: Files, shelf: string): string[] =>
  [...files.keys()].filter(
    (path) =>
      isCode(path) &&
      dirname(path) === shelf &&
      basename(path) !== 'all.ts' &&
      `${basename(path, '.ts')}s` !== basename(shelf),
  )

const isOutlet = (path: string): boolean => /^src\/(platform|features\/[^/]+\/probes)\//.test(path)
