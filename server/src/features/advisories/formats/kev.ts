import { jsonItems } from './json-items.ts'
import { dayOf, requireObject, requireText, textOf } from './json-fields.ts'
import { FeedError } from '../feeds/feed-error.ts'
import type { FeedFormat } from './format.ts'

/** CISA's Known Exploited Vulnerabilities (KEV) catalogue. */
export const kev: FeedFormat = {
  async *read({ content }) {
    for await (const { number, value } of jsonItems(content, ['vulnerabilities'])) {
      const record = requireObject(value, number)
      const cveId = requireText(record['cveID'], 'cveID', `record ${number}`)
      const addedOn = dayOf(record['dateAdded'])
      if (!addedOn) throw new FeedError(`${cveId} has no dateAdded`)
      const dueOn = dayOf(record['dueDate'])
      const isByRansomware = textOf(record['knownRansomwareCampaignUse']).toLowerCase() === 'known'
      yield { exploited: { cveId, addedOn, ...(dueOn && { dueOn }), isByRansomware } }
    }
  },
}
