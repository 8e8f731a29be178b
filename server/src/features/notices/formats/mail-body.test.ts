import { expect, test } from 'vitest'
import { mailBody } from './mail-body.ts'

const notice = { subject: 'Patch <now>', text: 'one\ntwo & three', url: 'https://here.example/a?b=1&c=2' }

test('a mail has its text, its link and how to end them, in both forms', () => {
  const { text, html } = mailBody(notice, 'https://here.example/end/x')
  expect(text).toBe(
    'one\ntwo & three\n\nhttps://here.example/a?b=1&c=2\n\n-- \nNo more of these: https://here.example/end/x\n',
  )
  expect(html).toContain('<h1>Patch &lt;now&gt;</h1>')
  expect(html).toContain('<p>one<br>two &amp; three</p>')
  expect(html).toContain('<p><a href="https://here.example/a?b=1&amp;c=2">Open in Rollcall</a></p>')
  expect(html).toContain('<p><a href="https://here.example/end/x">No more of these</a></p>')
})

test('without a link and without a text there is the subject, and no empty link', () => {
  const { text, html } = mailBody({ ...notice, text: '', url: null })
  expect(text).toBe('Patch <now>\n')
  expect(html).not.toContain('<a ')
})
