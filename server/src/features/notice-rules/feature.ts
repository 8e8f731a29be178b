import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { noteEvents } from './running/on-event.ts'

export const noticeRules: Feature = {
  name: 'notice-rules',
  tables: {
    notice_rules: 'engine',
    notice_rule_events: 'engine',
    notice_rule_items: 'engine',
    notice_rule_entries: 'engine',
    notice_preferences: 'engine',
  },
  // statements name the person, whose own they are
  limitedTables: () => ({ notice_rules: 'writable', notice_preferences: 'writable' }),
  graphql,
  commands,
  jobs,
  every,
  on: { '*': noteEvents },
}
