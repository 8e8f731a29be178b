import type { NoticeText } from '../notice.ts'
import { htmlText } from './escaping.ts'

/** Both forms of a mail: no image, no style sheet, nothing that is fetched. */
export function mailBody(
  { subject, text, url }: NoticeText,
  unsubscribeUrl?: string,
): Record<'text' | 'html', string> {
  const ending = unsubscribeUrl === undefined ? '' : `\n\n-- \nNo more of these: ${unsubscribeUrl}`
  const more =
    unsubscribeUrl === undefined ? '' : `<p><a href="${htmlText(unsubscribeUrl)}">No more of these</a></p>`
  return {
    text: `${text || subject}${url === null ? '' : `\n\n${url}`}${ending}\n`,
    html: [
      '<!doctype html><html><head><meta charset="utf-8"></head><body>',
      `<h1>${htmlText(subject)}</h1>`,
      `<p>${htmlText(text).replaceAll('\n', '<br>')}</p>`,
      url === null ? '' : `<p><a href="${htmlText(url)}">Open in Rollcall</a></p>`,
      `${more}</body></html>`,
    ].join('\n'),
  }
}
