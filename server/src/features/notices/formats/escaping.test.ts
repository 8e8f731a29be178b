import { expect, test } from 'vitest'
import { htmlText, markdownText, slackText, withEllipsis } from './escaping.ts'

test('what has a meaning of its own is written as it reads', () => {
  expect(slackText('<!here> & co')).toBe('&lt;!here&gt; &amp; co')
  expect(htmlText(`<a href="x" id='y'>`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;')
  expect(markdownText('*all* of @here')).toBe('\\*all\\* of @\u200bhere')
})

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  // half of a character is left out with its other half
  ['abc💡d', 5, 'abc…'],
  ['ab💡cd', 5, 'ab💡…'],
])('%s in %i characters is %s', (text, lengthMax, expected) => {
  expect(withEllipsis(text, lengthMax)).toBe(expected)
})
