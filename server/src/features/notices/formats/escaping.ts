import { shortened } from '#platform/validation/shortened.ts'

/** Slack reads `<…>` as links and mentions and `&…;` as characters. */
export const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const htmlText = (text: string): string =>
  slackText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')

const MARKDOWN = /[\\`*_{}[\]()<>#+\-.!|~:$]/g

/** Markdown as Mattermost and Discord read it. A mention needs its @ right before the name, so a zero-width space parts them. */
export const markdownText = (text: string): string =>
  text.replace(MARKDOWN, (character) => `\\${character}`).replaceAll('@', '@\u200b')

/** Cut at a whole character, with an ellipsis. */
export const withEllipsis = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${shortened(text, lengthMax - 1)}…`
