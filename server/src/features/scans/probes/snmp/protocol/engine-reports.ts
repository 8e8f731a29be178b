import { isBelow, oid, oidText } from './oid.ts'
import type { Answer } from './pdu.ts'

/** What an engine has against a message. */
export interface Report {
  /** The clocks differ (usmStatsNotInTimeWindows): the report carries the engine's time, so a retry may succeed. */
  readonly isClock: boolean
  /** For the person who gave the credential. */
  readonly text: string
}

const USM_STATS = oid('1.3.6.1.6.3.15.1.1')

/** RFC 3414, 5 (usmStats), and RFC 3412, 5 and RFC 3413 for those of the dispatcher. */
const texts: Readonly<Record<string, string>> = {
  '1.3.6.1.6.3.15.1.1.1': 'the agent does not support this security level for this user',
  '1.3.6.1.6.3.15.1.1.2': 'the clocks of the agent and of this server differ too much (notInTimeWindows)',
  '1.3.6.1.6.3.15.1.1.3': 'the agent does not know this user (unknownUserName)',
  '1.3.6.1.6.3.15.1.1.4': 'the agent changed its engine id meanwhile (unknownEngineIDs)',
  '1.3.6.1.6.3.15.1.1.5': 'wrong authentication password or protocol (wrongDigest)',
  '1.3.6.1.6.3.15.1.1.6': 'wrong privacy password or protocol (decryptionError)',
  '1.3.6.1.6.3.11.2.1.1': 'the agent does not know this security model',
  '1.3.6.1.6.3.11.2.1.3': 'the agent has nothing for this kind of question',
  '1.3.6.1.6.3.12.1.4': 'the agent cannot reach this context',
  '1.3.6.1.6.3.12.1.5': 'the agent does not know this context',
}

export function reportIn({ variables }: Answer): Report {
  const about = variables[0]?.oid.slice(0, -1) ?? []
  const name = oidText(about)
  const isClock = isBelow(USM_STATS, about) && about.at(-1) === 2
  return { isClock, text: texts[name] ?? `the agent reports ${name || 'an error without a name'}` }
}
