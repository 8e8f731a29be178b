import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FlowScheduleTimesDocument } from '#api/generated/editor.ts'
import { q } from '#api/query-client.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import { newTrigger, type FlowEditor } from './flow-editor.ts'
import { TriggerFields } from './trigger-fields.tsx'
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
      {kind === 'manual' && (
        <ValueFields
          editor={editor}
          label="Values to ask for"
          description="Who starts it fills them in; conditions and texts read them as event.NAME."
        />
      )}
      {kind === 'webhook' && <WebhookFields editor={editor} />}
    </section>
  )
}

type Trigger = FlowEditor['definition']['trigger']

const changed = ({ change }: FlowEditor, to: Partial<Trigger>): void =>
  change((now) => ({ ...now, trigger: { ...now.trigger, ...to } }))

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
    <>
      <SignatureField editor={editor} />
      <ValueFields
        editor={editor}
        label="Values of the body"
        description="What a request has at its top level, so that conditions and texts can read it as event.NAME."
      />
    </>
  )
}

interface ValueFieldsProps {
  readonly editor: FlowEditor
  readonly label: string
  readonly description: string
}

function ValueFields({ editor, ...words }: ValueFieldsProps) {
  return (
    <TriggerFields
      {...words}
      fields={editor.definition.trigger.fields ?? {}}
      faultAt={editor.faultAt}
      onChange={(fields) => changed(editor, { fields })}
    />
  )
}

const SIGNATURES = [
  { value: 'none', label: 'None: who knows the address may start it' },
  { value: 'rollcall', label: 'As Rollcall signs webhooks' },
  { value: 'x-hub-signature-256', label: 'As GitHub signs them (X-Hub-Signature-256)' },
]

function SignatureField({ editor }: { readonly editor: FlowEditor }) {
  return (
    <NativeSelect
      label="Signature"
      description="How a request proves who sent it. The flow’s page makes its address and key."
      data={SIGNATURES}
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
