import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  FlowCatalogueDocument,
  FlowTriggerFieldsDocument,
  type FlowCatalogueData,
} from '#api/generated/editor.ts'
import {
  CreateFlowDocument,
  FlowDocument,
  SaveFlowDraftDocument,
  type FlowRow,
} from '#api/generated/flows.ts'
import { q, useChange } from '#api/query-client.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import type { Definition } from '../flow-sentence.ts'
import { NEW_DEFINITION, type FlowEditor, type Tested } from './flow-editor.ts'
import { FlowConditionInput } from './flow-condition-input.tsx'
import styles from './flow-editor.module.css'
import { EventMatches } from './event-matches.tsx'
import { StepList } from './step-list.tsx'
import { TestPanel } from './test-panel.tsx'
import { TriggerCard } from './trigger-card.tsx'
import { nextToDo } from './next-to-do.ts'
import { useFlowFaults } from './use-flow-faults.ts'

const NAME_LENGTH_MAX = 200
const DESCRIPTION_LENGTH_MAX = 2_000

/** A flow that does not exist yet. */
export function NewFlowPage() {
  const catalogue = useQuery(q(FlowCatalogueDocument, {}))
  return (
    <Page title="New flow" description="When something occurs, if a condition holds, do these steps.">
      {catalogue.error ? (
        <LoadError error={catalogue.error} onRetry={() => void catalogue.refetch()} />
      ) : null}
      {catalogue.isPending && <SkeletonBlock />}
      {catalogue.data && <Editor catalogue={catalogue.data} saved={NEW_DEFINITION} />}
    </Page>
  )
}

/** The newest version of a flow, draft or not; what is saved is its draft. */
export function EditFlowPage() {
  const { flowId } = useParams({ from: '/app/flows/$flowId/edit' })
  const flow = useQuery(q(FlowDocument, { id: flowId, first: 1 }))
  const catalogue = useQuery(q(FlowCatalogueDocument, {}))
  const error = flow.error ?? catalogue.error
  const definition = flow.data?.flowVersions[0]?.definition as Definition | undefined
  return (
    <Page title={flow.data ? `Edit ${flow.data.flow.name}` : 'Flow'}>
      {error ? <LoadError error={error} onRetry={() => void flow.refetch()} /> : null}
      {!error && !(definition && catalogue.data) && <SkeletonBlock />}
      {definition && catalogue.data && (
        <Editor key={flowId} flow={flow.data?.flow} catalogue={catalogue.data} saved={definition} />
      )}
    </Page>
  )
}

interface EditorProps {
  readonly catalogue: FlowCatalogueData
  /** Undefined: it is made when it is saved for the first time. */
  readonly flow?: FlowRow | undefined
  readonly saved: Definition
}

function Editor({ catalogue, flow, saved }: EditorProps) {
  const [definition, setDefinition] = useState(saved)
  const [tested, setTested] = useState<Tested>()
  const change: FlowEditor['change'] = (to) => {
    setDefinition(to)
    setTested(undefined)
  }
  const [text, setText] = useState({ name: flow?.name ?? '', description: flow?.description ?? '' })
  const faults = useFlowFaults(definition)
  const fields = useQuery({ ...q(FlowTriggerFieldsDocument, { trigger: definition.trigger }), retry: false })
  const editor: FlowEditor = {
    definition,
    catalogue,
    change,
    triggerFields: fields.data?.flowTriggerFields.map((it) => it.name) ?? [],
    faultAt: (place) => faults?.get(place),
    tested,
  }
  return (
    <div className={styles['column']}>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={NAME_LENGTH_MAX}
        value={text.name}
        onChange={({ currentTarget: { value } }) => setText({ ...text, name: value })}
      />
      <TextInput
        label="Description"
        maxLength={DESCRIPTION_LENGTH_MAX}
        value={text.description}
        onChange={({ currentTarget: { value } }) => setText({ ...text, description: value })}
      />
      <TriggerCard editor={editor} />
      <OnlyIf editor={editor} />
      <StepList editor={editor} list="steps" label="Steps" />
      <SaveButtons {...{ flowId: flow?.id, ...text, definition }} faults={faults} />
      {flow && <TestPanel flowId={flow.id} definition={definition} result={tested} onTested={setTested} />}
    </div>
  )
}

function OnlyIf({ editor: { definition, change, faultAt } }: { readonly editor: FlowEditor }) {
  return (
    <section className={styles['card']} aria-label="Condition">
      <FlowConditionInput
        label="Only if"
        description="A condition on event.… and asset.…; empty: always."
        placeholder={
          definition.trigger.kind === 'event' ? 'event.severity = critical' : 'asset.criticality = high'
        }
        trigger={definition.trigger}
        value={definition.condition ?? ''}
        error={faultAt('condition')}
        onChange={(condition) => change((now) => ({ ...now, condition }))}
      />
      {definition.trigger.kind === 'event' && faultAt('condition') === undefined && (
        <EventMatches trigger={definition.trigger} condition={definition.condition ?? ''} />
      )}
    </section>
  )
}

interface SaveButtonsProps {
  readonly flowId: string | undefined
  readonly name: string
  readonly description: string
  readonly definition: Definition
  readonly faults: ReadonlyMap<string, string> | undefined
}

function SaveButtons({ flowId, name, description, definition, faults }: SaveButtonsProps) {
  const navigate = useNavigate()
  const leave = (id: string) => void navigate({ to: '/flows/$flowId', params: { flowId: id } })
  const create = useChange(CreateFlowDocument, {
    done: 'Flow created as a draft',
    onDone: ({ createFlow }) => leave(createFlow.id),
  })
  const save = useChange(SaveFlowDraftDocument, {
    done: 'Draft saved',
    onDone: ({ updateFlow }) => leave(updateFlow.id),
  })
  const isUnnamed = name.trim() === ''
  const described = { name: name.trim(), description: description.trim(), definition }
  const reason = nextToDo(name, definition, faults)
  return (
    <div className={styles['list']}>
      {reason && <p className="quiet">{reason}</p>}
      <div className={styles['buttons']}>
        <Button
          disabled={isUnnamed || faults === undefined || faults.size > 0}
          loading={create.isPending || save.isPending}
          onClick={() =>
            flowId === undefined ? create.mutate(described) : save.mutate({ id: flowId, ...described })
          }
        >
          Save draft
        </Button>
        <Button
          variant="default"
          renderRoot={(props) =>
            flowId === undefined ? (
              <Link to="/flows" {...props} />
            ) : (
              <Link to="/flows/$flowId" params={{ flowId }} {...props} />
            )
          }
        >
          Cancel
        </Button>
      </div>
    </div>
  )
}
