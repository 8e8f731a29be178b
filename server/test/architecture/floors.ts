import {
  codeOf,
  importsOf,
  isStore,
  orderOf,
  roomOf,
  roomsOf,
  type Import,
  type Rule,
} from './source-files.ts'

export const DOOR =
  /^src\/features\/[^/]+\/((rest|graphql(-[a-z]+)?|files|live|jobs|cli)\.ts|(graphql|cli)\/[a-z-]+\.ts)$/
const isPlatform = (path: string): boolean => path.startsWith('src/platform/')
const arrow = ({ from, to }: Import): string => `${from} -> ${to}`

/** Who may import whom. */
export const floors: readonly Rule[] = [
  {
    name: 'app.ts lists every feature, and nothing else',
    check(files) {
      const [order, rooms] = [orderOf(files), roomsOf(files)]
      return [
        ...rooms
          .filter((room) => !order.includes(room))
          .map((room) => `src/features/${room} is not in app.ts`),
        ...order.filter((it, at) => order.indexOf(it) !== at).map((it) => `${it} is twice in app.ts`),
      ]
    },
    offence: { 'src/features/gadgets/feature.ts': 'export const gadgets = {}' },
  },
  {
    name: 'the platform imports no feature and nothing above it',
    check: (files) =>
      importsOf(files)
        .filter(({ from, to }) => isPlatform(from) && to.startsWith('src/') && !isPlatform(to))
        .map(arrow),
    offence: { 'src/platform/observability/log.ts': `import { record } from '#features/audit/audit.ts'` },
  },
  {
    name: 'the platform knows no product word',
    check: (files) =>
      codeOf(files)
        .filter(([path]) => isPlatform(path))
        .flatMap(([path, text]) => {
          const word = /\b(webhooks?|assets?|scans?|observations?|partners?|vulnerabilit\w*)\b/i.exec(
            withoutComments(text),
          )
          return word ? [`${path}: ${word[0]}`] : []
        }),
    offence: { 'src/platform/observability/log.ts': 'export const assets = []' },
  },
  {
    name: 'a feature imports only features above it in app.ts',
    check(files) {
      const order = orderOf(files)
      return acrossRooms(importsOf(files))
        .filter(({ from, to }) => order.indexOf(roomOf(to) ?? '') >= order.indexOf(roomOf(from) ?? ''))
        .map(arrow)
    },
    offence: { 'src/features/audit/audit.ts': `import { emit } from '#features/events/events.ts'` },
  },
  {
    name: 'other features are entered by their front door; only types may be taken where they are written',
    check: (files) =>
      acrossRooms(importsOf(files))
        .filter(({ to, isType }) => !isType && to !== `src/features/${roomOf(to)}/${roomOf(to)}.ts`)
        .map(arrow),
    offence: { 'src/features/events/events.ts': `import { add } from '#features/audit/store.ts'` },
  },
  {
    name: 'feature.ts is opened by app.ts alone',
    check: (files) =>
      importsOf(files)
        .filter(({ from, to }) => to.endsWith('/feature.ts') && roomOf(to) && from !== 'src/app.ts')
        .map(arrow),
    offence: { 'src/features/audit/audit.ts': `import { audit } from './feature.ts'` },
  },
  {
    name: 'doors never touch the store',
    check: (files) =>
      importsOf(files)
        .filter(({ from, to }) => DOOR.test(from) && isStore(to))
        .map(arrow),
    offence: { 'src/features/audit/cli.ts': `import * as store from './store.ts'` },
  },
  {
    name: 'rooms are joined by #features and #platform, and inside by ./',
    check: (files) =>
      importsOf(files)
        .filter(({ from, to, raw }) => {
          const isInside = roomOf(from) !== undefined && roomOf(from) === roomOf(to)
          const isPlatformInside = isPlatform(from) && isPlatform(to)
          if (isInside || isPlatformInside) return raw.startsWith('#')
          return raw.startsWith('../') && (isPlatform(from) || roomOf(from) !== undefined)
        })
        .map(({ from, raw }) => `${from} -> ${raw}`),
    offence: {
      'src/features/audit/audit.ts': `import { permit } from '../../platform/context.ts'`,
      'src/features/events/events.ts': `import { at } from '#features/events/event-catalogue.ts'`,
    },
  },
]

const acrossRooms = (imports: Import[]): Import[] =>
  imports.filter(({ from, to }) => roomOf(from) && roomOf(to) && roomOf(from) !== roomOf(to))

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
