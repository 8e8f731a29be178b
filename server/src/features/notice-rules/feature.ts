import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { tellOfDeprecatedUse } from './deprecated-uses/deprecated-uses.ts'
import { every, jobs } from './jobs.ts'
import { noteUnreadableRules } from './note-unreadable.ts'
import { noteEvents } from './running/on-event.ts'
import { storedConditions } from './stored-conditions.ts'

export const noticeRules: Feature = {
  name: 'notice-rules',
  tables: {
    notice_rules: 'engine',
    notice_rule_events: 'engine',
    notice_rule_items: 'engine',
    notice_rule_entries: 'engine',
    notice_preferences: 'engine',
    deprecated_uses: 'engine',
  },
  // statements name the person, whose own they are
  limitedTables: () => ({ notice_rules: 'writable', notice_preferences: 'writable' }),
  graphql,
  commands,
  jobs,
  every,
  on: { '*': noteEvents, 'conditions.shrunk': noteUnreadableRules },
  storedConditions,
  onDeprecatedUse: tellOfDeprecatedUse,
}
