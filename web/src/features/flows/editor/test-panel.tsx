import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  PastFlowEventsDocument,
  TestFlowDraftDocument,
  type PastFlowEventsData,
} from '#api/generated/editor.ts'
import { q, useChange } from '#api/query-client.ts'
import { AssetFinder, type FoundAsset } from '#features/assets/asset-finder.tsx'
import { ago } from '#lib/dates.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Panel } from '#ui/panel.tsx'
import type { Definition } from '../flow-sentence.ts'
import type { Tested } from './flow-editor.ts'
import styles from './flow-editor.module.css'
import { TestResult } from './test-result.tsx'

interface TestPanelProps {
  readonly flowId: string
  readonly definition: Definition
  readonly result: Tested | undefined
  readonly onTested: (result: Tested) => void
}

/** What the definition would do for an asset, or for an event that was; everything is undone and nothing is sent. */
export function TestPanel({ flowId, definition, result, onTested }: TestPanelProps) {
  const [asset, setAsset] = useState<FoundAsset>()
  const [eventId, setEventId] = useState('')
  const events = usePastEvents(definition.trigger)
  const event = events.find(({ id }) => id === eventId)
  const test = useChange(TestFlowDraftDocument, { onDone: ({ testFlow }) => onTested(testFlow) })
  return (
    <Panel title="Test run">
      <div className={styles['column']}>
        <p className="quiet">Nothing is changed or sent. What each step would do stands at the step.</p>
        {events.length > 0 && (
          <NativeSelect
            label="Event"
            description="One that was, or an example about the asset."
            data={[{ value: '', label: 'An example' }, ...events.map(optionOf)]}
            value={eventId}
            onChange={({ currentTarget: { value } }) => setEventId(value)}
          />
        )}
        {!event && <AssetToTest asset={asset} onChange={setAsset} />}
        <div className={styles['buttons']}>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() =>
              test.mutate({
                id: flowId,
                definition,
                assetId: event ? null : (asset?.id ?? null),
                event: event?.payload ?? null,
                before: event?.before ?? null,
              })
            }
          >
            Test
          </Button>
        </div>
        {result && <TestResult result={result} />}
      </div>
    </Panel>
  )
}

type PastEvent = PastFlowEventsData['pastFlowEvents'][number]

/** The newest of the events that start the flow; none for other triggers. */
function usePastEvents({ kind, eventTypes = [] }: Definition['trigger']): readonly PastEvent[] {
  const { data } = useQuery({
    ...q(PastFlowEventsDocument, { types: [...eventTypes] }),
    enabled: kind === 'event' && eventTypes.length > 0,
    retry: false,
  })
  return data?.pastFlowEvents ?? []
}

function optionOf({ id, type, occurredAt, payload }: PastEvent) {
  const about = (payload as Record<string, unknown>)['asset_name']
  const name = typeof about === 'string' ? `: ${about}` : ''
  return { value: id, label: `${sentenceCase(type.toLowerCase())}${name}, ${ago(occurredAt)}` }
}

interface AssetToTestProps {
  readonly asset: FoundAsset | undefined
  readonly onChange: (asset: FoundAsset | undefined) => void
}

function AssetToTest({ asset, onChange }: AssetToTestProps) {
  return asset ? (
    <div className={styles['buttons']}>
      <span>
        About <strong>{asset.name}</strong>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => onChange(undefined)}>
        Another
      </Button>
    </div>
  ) : (
    <AssetFinder label="Asset to test with" except="" onChoose={onChange} />
  )
}
