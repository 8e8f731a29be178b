import { expect, test } from 'vitest'
import { scoreOf, sectionsOf } from './sections.ts'

const control = (id: string, parentId: string, status: 'pass' | 'fail' | 'not_assessed' | null = null) => ({
  id,
  parentId,
  title: id,
  isHeading: status === null,
  status,
})

test('controls stand below the topmost heading that they belong to', () => {
  const sections = sectionsOf([
    control('ID', ''),
    control('ID.AM', 'ID'),
    control('ID.AM-01', 'ID.AM', 'pass'),
    control('ID.AM-02', 'ID.AM', 'fail'),
    control('GV', ''),
    control('GV.PO-01', 'GV', 'not_assessed'),
    control('X-1', '', 'pass'),
  ])
  expect(
    sections.map(({ title, counts, notAssessed }) => [title, counts.pass, counts.fail, notAssessed.length]),
  ).toEqual([
    ['ID', 1, 1, 0],
    ['GV', 0, 0, 1],
    ['Other controls', 1, 0, 0],
  ])
  expect(sections.map(scoreOf)).toEqual([0.5, null, 1])
})

test('headings that stand in a circle end the way up', () => {
  expect(sectionsOf([control('a', 'b'), control('b', 'a'), control('c', 'a', 'pass')])).toMatchObject([
    { counts: { pass: 1 } },
  ])
})
