import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { articulationPoints } from './articulation-points.ts'

type Links = readonly (readonly [string, string])[]

/** By removing each node and counting what is left together. */
function bruteForce(links: Links): [string, number][] {
  const nodes = [...new Set(links.flat())]
  const partsWithout = (gone: string, among: readonly string[]): number[] => {
    const left = new Set(among.filter((it) => it !== gone))
    const sizes: number[] = []
    for (const start of left) {
      const part = [start]
      left.delete(start)
      for (const node of part)
        for (const [a, b] of links) {
          const other = a === node ? b : b === node ? a : undefined
          if (other !== undefined && left.delete(other)) part.push(other)
        }
      sizes.push(part.length)
    }
    return sizes
  }
  const componentOf = (node: string): string[] => {
    const part = [node]
    for (const each of part)
      for (const [a, b] of links) {
        const other = a === each ? b : b === each ? a : undefined
        if (other !== undefined && !part.includes(other)) part.push(other)
      }
    return part
  }
  return nodes
    .flatMap((node): [string, number][] => {
      const component = componentOf(node)
      const parts = partsWithout(node, component)
      return parts.length > 1 ? [[node, component.length - 1 - Math.max(...parts)]] : []
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const computed = (links: Links): [string, number][] =>
  articulationPoints(links)
    .map(({ node, cutsOff }): [string, number] => [node, cutsOff])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

test('they are those that removal finds, and cut off as many', () => {
  const node = fc.integer({ min: 0, max: 8 }).map(String)
  const link = fc.tuple(node, node).filter(([a, b]) => a !== b)
  fc.assert(
    fc.property(fc.array(link, { maxLength: 16 }), (links) => {
      expect(computed(links)).toEqual(bruteForce(links))
    }),
  )
})

test('a chain of 100,000 does not exhaust the stack', () => {
  const links: Links = Array.from({ length: 100_000 }, (_, at) => [`n${at}`, `n${at + 1}`])
  expect(articulationPoints(links)).toHaveLength(99_999)
})

sharedData('reports', 'the worked links', (path) => {
  test('have the articulation points that were found by hand', () => {
    const { links, articulation_points: expected } = JSON.parse(
      readFileSync(`${path}/links-small.json`, 'utf8'),
    ) as { links: Links; articulation_points: string[] }
    expect(computed(links).map(([node]) => node)).toEqual(expected)
  })
})
