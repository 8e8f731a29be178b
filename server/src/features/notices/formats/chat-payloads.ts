import type { NoticeText } from '../notice.ts'
import { markdownText, slackText, withEllipsis } from './escaping.ts'

/** Slack refuses longer texts of a block. */
const SLACK_LENGTH_MAX = 3_000
const DISCORD_LENGTH_MAX = 2_000
const MATTERMOST_LENGTH_MAX = 16_000
const TEAMS_LENGTH_MAX = 10_000
const NTFY_LENGTH_MAX = 4_000

/**
 * An incoming webhook of Slack. Blocks of `plain_text` know no markup; `text` is what clients without blocks and
 * notifications on phones show.
 */
export function slackPayload({ subject, text, url }: NoticeText): unknown {
  const plain = (it: string) => ({
    type: 'section',
    text: { type: 'plain_text', emoji: false, text: withEllipsis(it, SLACK_LENGTH_MAX) },
  })
  const link = { type: 'section', text: { type: 'mrkdwn', text: `<${url}|Open in Rollcall>` } }
  return {
    text: slackText(withEllipsis(subject, SLACK_LENGTH_MAX)),
    blocks: [plain(subject), ...(text ? [plain(text)] : []), ...(url ? [link] : [])],
  }
}

export function mattermostPayload({ subject, text, url }: NoticeText): unknown {
  const lines = [
    `**${markdownText(subject)}**`,
    markdownText(withEllipsis(text, MATTERMOST_LENGTH_MAX / 2 - 500)),
  ]
  return { text: [...lines, ...(url ? [`[Open in Rollcall](${url})`] : [])].join('\n\n') }
}

/** `allowed_mentions` keeps Discord from telling anybody, whatever the text holds. */
export function discordPayload({ subject, text, url }: NoticeText): unknown {
  const link = url ? `\n${url}` : ''
  const escaped = withEllipsis(
    `**${markdownText(withEllipsis(subject, 200))}**\n${markdownText(text)}`,
    DISCORD_LENGTH_MAX - link.length,
  )
  return { content: escaped + link, allowed_mentions: { parse: [] } }
}

/** An adaptive card for a workflow of Teams. Text runs know no markup. */
export function teamsPayload({ subject, text, url }: NoticeText): unknown {
  const run = (it: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: withEllipsis(it, TEAMS_LENGTH_MAX), ...more }],
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [run(subject, { weight: 'bolder' }), ...(text ? [run(text)] : [])],
    ...(url && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Rollcall', url }] }),
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  }
}

/** As JSON to the server's root: nothing of the text stands in a header. `topic` is the last part of the channel's URL. */
export function ntfyPayload({ subject, text, url }: NoticeText, topic: string): unknown {
  return {
    topic,
    title: withEllipsis(subject, 250),
    message: withEllipsis(text || subject, NTFY_LENGTH_MAX),
    priority: 3,
    tags: ['rollcall'],
    ...(url && { click: url }),
  }
}
