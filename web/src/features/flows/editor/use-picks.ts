import { useQuery } from '@tanstack/react-query'
import { FlowPicksDocument, type FlowPicksData } from '#api/generated/editor.ts'
import { q } from '#api/query-client.ts'

export interface Pick {
  readonly value: string
  readonly label: string
}

const byId = ({ id, name }: { readonly id: string; readonly name: string }): Pick => ({
  value: id,
  label: name,
})
const byName = ({ name }: { readonly name: string }): Pick => ({ value: name, label: name })

const SOURCES: Readonly<Record<string, (data: FlowPicksData) => Pick[]>> = {
  recipient: ({ noticeChannels }) => [byName({ name: 'me' }), ...noticeChannels.map(byName)],
  scanTarget: ({ targets }) => targets.map(byId),
  webhook: ({ webhooks }) => webhooks.map(byId),
  report: ({ reports }) => reports.items.map(byId),
  customField: ({ customFields }) => customFields.map(byName),
}

/** What a setting is picked from; none where it is written, or the person may not see what there is. */
export function usePicks(pick: string): readonly Pick[] {
  const source = SOURCES[pick]
  const { data } = useQuery({ ...q(FlowPicksDocument, {}), enabled: source !== undefined, retry: false })
  return source && data ? source(data) : []
}
