import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listHeaders, listReply, parsePage } from './paging.ts'

test.each([
  [{}, 50, 0],
  [{ limit: '1', offset: '0' }, 1, 0],
  [{ limit: '1000', offset: '7' }, 1000, 7],
  [{ limit: '0' }, 50, 0],
  [{ limit: '1001' }, 50, 0],
  [{ limit: '-1', offset: '-1' }, 50, 0],
  [{ limit: '2.5', offset: '2.5' }, 50, 0],
  [{ limit: '1e2', offset: '1e2' }, 50, 0],
  [{ limit: '', offset: '' }, 50, 0],
  [{ limit: ' 5', offset: '0x10' }, 50, 0],
  [{ limit: ['5', '6'], offset: ['5', '6'] }, 50, 0],
  [{ limit: '9'.repeat(400), offset: '9'.repeat(400) }, 50, Number.MAX_SAFE_INTEGER],
])('%j is %i from %i', (query, limit, offset) => {
  expect(parsePage(query)).toEqual({ limit, offset })
})

test('the headers of the first, a middle, the last page and of nothing', () => {
  expect(listHeaders({ total: 101, limit: 50, offset: 0 })).toEqual({
    'x-total-count': '101',
    'x-total-pages': '3',
    'x-page': '1',
    'x-per-page': '50',
    'x-next-cursor': 'offset=50',
  })
  expect(listHeaders({ total: 101, limit: 50, offset: 50 })).toMatchObject({
    'x-page': '2',
    'x-next-cursor': 'offset=100',
  })
  expect(listHeaders({ total: 101, limit: 50, offset: 100 })).not.toHaveProperty('x-next-cursor')
  expect(listHeaders({ total: 100, limit: 50, offset: 50 })).not.toHaveProperty('x-next-cursor')
  expect(listHeaders({ total: 0, limit: 50, offset: 0 })).toEqual({
    'x-total-count': '0',
    'x-total-pages': '0',
    'x-page': '1',
    'x-per-page': '50',
  })
})

test('following the cursor visits every item once', () => {
  const anyList = [fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 1000 })] as const
  fc.assert(
    fc.property(...anyList, (total, limit) => {
      let visited = 0
      let cursor: string | undefined = 'offset=0'
      while (cursor) {
        const { offset } = parsePage({ offset: cursor.replace('offset=', '') })
        visited += Math.min(limit, total - offset)
        cursor = listHeaders({ total, limit, offset })['x-next-cursor']
      }
      expect(visited).toBe(total)
    }),
  )
})

test('a list answers its items under data', () => {
  const reply = listReply({ limit: 2, offset: 0 }, { items: [1, 2], total: 3 }, (n) => ({ n }))
  expect(reply.json).toEqual({ data: [{ n: 1 }, { n: 2 }] })
  expect(reply.headers).toMatchObject({ 'x-total-count': '3' })
})
