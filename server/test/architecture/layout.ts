import { dirname } from 'node:path'
import { codeOf, importsOf, type Files, type Rule } from './source-files.ts'

const SOURCE_FILES_MAX = 20

/**
 * How files are laid out, for the server and the app alike: small folders, no import cycles. `folder` is where the
 * offences are put.
 */
export const layoutIn = (folder: string): readonly Rule[] => [
  {
    name: `no folder holds more than ${SOURCE_FILES_MAX} source files`,
    check(files) {
      const folders = Map.groupBy(codeOf(files), ([path]) => dirname(path))
      return [...folders]
        .filter(([folder, inside]) => inside.length > SOURCE_FILES_MAX && !isGenerated(folder))
        .map(([folder, inside]) => `${folder} holds ${inside.length}`)
    },
    offence: Object.fromEntries(
      Array.from({ length: SOURCE_FILES_MAX + 1 }, (_, at) => [`${folder}/gadgets/parts/part-${at}.ts`, '']),
    ),
  },
  {
    name: 'no files import each other in a circle, not even types',
    check: (files) => circlesOf(files).map((circle) => circle.join(' -> ')),
    offence: {
      [`${folder}/gadgets/one.ts`]: `import type { Two } from './two.ts'`,
      [`${folder}/gadgets/two.ts`]: `import type { One } from './one.ts'`,
    },
  },
]

/** Written by a program: nobody looks for anything there. */
const isGenerated = (folder: string): boolean => folder.endsWith('/generated')

/** Strongly connected files (Tarjan 1972), each circle in the order of its paths. */
function circlesOf(files: Files): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of importsOf(files)) {
    if (files.has(to)) targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const [index, low, stack, circles] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    [] as string[][],
  ]
  const visit = (path: string): void => {
    index.set(path, index.size)
    low.set(path, index.size - 1)
    stack.push(path)
    for (const target of targets.get(path) ?? []) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(path, Math.min(low.get(path) ?? 0, low.get(target) ?? 0))
    }
    if (low.get(path) !== index.get(path)) return
    const circle = stack.splice(stack.indexOf(path))
    if (circle.length > 1) circles.push(circle.toSorted())
  }
  for (const path of targets.keys()) if (!index.has(path)) visit(path)
  return circles
}
