import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FlowScheduleTimesDocument } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import { newTrigger, type FlowEditor } from './flow-editor.ts'
import styles from './flow-editor.module.css'

/** What starts the flow. */
export function TriggerCard({ editor }: { readonly editor: FlowEditor }) {
  const { definition, catalogue, change } = editor
  const { kind } = definition.trigger
  const sentence = catalogue.flowTriggers.find((it) => it.kind === kind)?.sentence
  return (
    <section className={styles['card']} aria-label="Trigger">
      <NativeSelect
        label="When"
        description={sentence}
        data={catalogue.flowTriggers.map((it) => ({ value: it.kind, label: it.label }))}
        value={kind}
        onChange={({ currentTarget: { value } }) => change({ ...definition, trigger: newTrigger(value) })}
      />
      {kind === 'event' && <EventFields editor={editor} />}
      {kind === 'query' && <QueryFields editor={editor} />}
      {kind === 'schedule' && <ScheduleFields editor={editor} />}
      {kind === 'webhook' && <WebhookFields editor={editor} />}
    </section>
  )
}

type Trigger = FlowEditor['definition']['trigger']

const changed = ({ definition, change }: FlowEditor, to: Partial<Trigger>): void =>
  change({ ...definition, trigger: { ...definition.trigger, ...to } })

function EventFields({ editor }: { readonly editor: FlowEditor }) {
  return (
    <MultiSelect
      label="Events"
      data={editor.catalogue.eventCatalogue
        .filter(({ isEmitted }) => isEmitted)
        .map(({ type }) => ({ value: type, label: sentenceCase(type.toLowerCase()) }))}
      value={[...(editor.definition.trigger.eventTypes ?? [])]}
      error={editor.faultAt('trigger.eventTypes')}
      onChange={(eventTypes) => changed(editor, { eventTypes })}
    />
  )
}

/** The condition box of the lists: it counts the assets that match now. */
function QueryFields({ editor }: { readonly editor: FlowEditor }) {
  const { condition = '', on = 'enter', per = 'asset' } = editor.definition.trigger
  return (
    <>
      <div>
        <ConditionBox
          subject="asset"
          label="Assets that match"
          placeholder="type = server and os.name: windows"
          hint="Which assets it is about, as in the list of assets."
          where={condition}
          text=""
          onChange={({ where }) => changed(editor, { condition: where })}
        />
      </div>
      <Fault text={condition === '' ? undefined : editor.faultAt('trigger.condition')} />
      <div className={styles['fields']}>
        <NativeSelect
          label="Start when"
          data={[
            { value: 'enter', label: 'an asset begins to match' },
            { value: 'leave', label: 'an asset matches no more' },
          ]}
          value={on}
          onChange={({ currentTarget: { value } }) => changed(editor, { on: value })}
        />
        <NativeSelect
          label="One run for"
          data={[
            { value: 'asset', label: 'each asset' },
            { value: 'batch', label: 'all at the same time' },
          ]}
          value={per}
          onChange={({ currentTarget: { value } }) => changed(editor, { per: value })}
        />
      </div>
    </>
  )
}

function ScheduleFields({ editor }: { readonly editor: FlowEditor }) {
  const { cron = '', zone = '' } = editor.definition.trigger
  const isSound = editor.faultAt('trigger.cron') === undefined && editor.faultAt('trigger.zone') === undefined
  const { data } = useQuery({
    ...q(FlowScheduleTimesDocument, { cron, zone }),
    enabled: isSound,
    retry: false,
  })
  return (
    <>
      <div className={styles['fields']}>
        <TextInput
          label="Cron"
          description="minute hour day month weekday"
          value={cron}
          error={editor.faultAt('trigger.cron')}
          onChange={({ currentTarget: { value } }) => changed(editor, { cron: value })}
        />
        <TextInput
          label="Time zone"
          description="such as Europe/Berlin"
          value={zone}
          error={editor.faultAt('trigger.zone')}
          onChange={({ currentTarget: { value } }) => changed(editor, { zone: value })}
        />
      </div>
      {data && isSound && (
        <ul className={styles['times']} aria-label="The next times">
          {data.flowScheduleTimes.map(({ at, local, isAfterClockChange }) => (
            <li key={at}>
              {local}
              {isAfterClockChange && <span className="quiet"> after the clocks change</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function WebhookFields({ editor }: { readonly editor: FlowEditor }) {
  return (
    <NativeSelect
      label="Signature"
      description="How a request proves who sent it. The address is shown when the flow is switched on."
      data={['none', 'rollcall', 'x-hub-signature-256']}
      value={editor.definition.trigger.signature ?? 'none'}
      onChange={({ currentTarget: { value } }) => changed(editor, { signature: value })}
    />
  )
}

function Fault({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p role="alert" className={styles['fault']}>
      {text}
    </p>
  )
}
