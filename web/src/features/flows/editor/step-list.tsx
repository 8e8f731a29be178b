import { ActionIcon, Button, Menu, Select, TextInput } from '@mantine/core'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { NumberField } from '#ui/number-field.tsx'
import { stepSentence, type Step } from '../flow-sentence.ts'
import { ActionFields } from './action-fields.tsx'
import { TestedStep } from './test-result.tsx'
import { FlowConditionInput } from './flow-condition-input.tsx'
import { CONTROLS, newStep, type FlowEditor, type StepFieldsProps } from './flow-editor.ts'
import {
  insertStep,
  moveStep,
  namedBefore,
  removeStep,
  replaceStep,
  stepAt,
  stepPath,
  stepsAt,
  type ListPath,
} from './step-tree.ts'
import styles from './flow-editor.module.css'

interface StepListProps {
  readonly editor: FlowEditor
  readonly list: ListPath
  /** For those who cannot see where the list stands. */
  readonly label: string
}

/** Steps in their order, and a button that adds one at the end. */
export function StepList({ editor, list, label }: StepListProps) {
  const steps = stepsAt(editor.definition, list)
  return (
    <div className={styles['list']}>
      <ol className={styles['steps']} aria-label={label}>
        {steps.map((_, at) => (
          // steps have no identity but their place
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${steps.length} ${at}`}>
            <StepCard editor={editor} path={stepPath(list, at)} at={at} count={steps.length} />
          </li>
        ))}
      </ol>
      <AddStep editor={editor} list={list} at={steps.length} label={label} />
    </div>
  )
}

function AddStep({ editor, list, at, label }: StepListProps & { readonly at: number }) {
  const { definition, catalogue, change } = editor
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          aria-label={list === 'steps' ? 'Add step' : `Add step to ${label}`}
        >
          Add step
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles['menu']}>
        {catalogue.flowActions.map((action) => (
          <Menu.Item
            key={action.name}
            title={action.sentence}
            onClick={() => change(insertStep(definition, list, at, newStep(action)))}
          >
            {action.label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {CONTROLS.map(({ name, label: title, step }) => (
          <Menu.Item key={name} onClick={() => change(insertStep(definition, list, at, step))}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface StepCardProps {
  readonly editor: FlowEditor
  readonly path: string
  /** Its place in its list. */
  readonly at: number
  readonly count: number
}

function StepCard({ editor, path, at, count }: StepCardProps) {
  const { definition, catalogue, change, faultAt } = editor
  const step = stepAt(definition, path)
  if (!step) return null
  const action = catalogue.flowActions.find(({ name }) => name === step.action)
  const title = action?.label ?? CONTROLS.find(({ name }) => name === step.action)?.label ?? step.action
  const replace = (to: Step) => change(replaceStep(definition, path, to))
  const fault = faultAt(path) ?? faultAt(`${path}.action`) ?? faultAt(`${path}.with`)
  return (
    <section className={styles['card']} aria-label={`${title}, step ${at + 1}`}>
      <StepHeader {...{ editor, path, at, count, title }} sentence={stepSentence(step)} />
      {fault !== undefined && (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      )}
      <TestedStep tested={editor.tested} path={path} />
      {action && <ActionFields {...{ editor, action, path, step }} onChange={replace} />}
      <ControlFields {...{ editor, path, step }} onChange={replace} />
    </section>
  )
}

interface StepHeaderProps extends StepCardProps {
  readonly title: string
  readonly sentence: string
}

function StepHeader({ editor, path, at, count, title, sentence }: StepHeaderProps) {
  const { definition, change } = editor
  return (
    <header className={styles['header']}>
      <div className={styles['title']}>
        <strong>{title}</strong>
        <span className="quiet">{sentence}</span>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${title} up`}
        disabled={at === 0}
        onClick={() => change(moveStep(definition, path, -1))}
      >
        <ArrowUp size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${title} down`}
        disabled={at === count - 1}
        onClick={() => change(moveStep(definition, path, 1))}
      >
        <ArrowDown size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Delete ${title}`}
        onClick={() => change(removeStep(definition, path))}
      >
        <Trash2 size={15} aria-hidden />
      </ActionIcon>
    </header>
  )
}

/** What ways through the steps ask for, and the steps within them. */
function ControlFields({ editor, path, step, onChange }: StepFieldsProps) {
  switch (step.action) {
    case 'if':
      return (
        <>
          <FlowConditionInput
            label="If"
            placeholder="event.severity = critical"
            trigger={editor.definition.trigger}
            value={step.condition ?? ''}
            error={editor.faultAt(`${path}.condition`)}
            onChange={(condition) => onChange({ ...step, condition })}
          />
          <StepList editor={editor} list={`${path}.steps`} label="then" />
          <span className={styles['otherwise']}>Otherwise</span>
          <StepList editor={editor} list={`${path}.otherwise`} label="otherwise" />
        </>
      )
    case 'for_each':
      return (
        <>
          <TextInput
            label="List"
            description="The path of a list; its steps read each item as {{item}}."
            spellCheck={false}
            value={step.list ?? ''}
            error={editor.faultAt(`${path}.list`)}
            onChange={({ currentTarget: { value } }) => onChange({ ...step, list: value })}
          />
          <StepList editor={editor} list={`${path}.steps`} label="each" />
        </>
      )
    case 'wait':
      return (
        <NumberField
          label="Minutes"
          min={1}
          value={step.minutes ?? 60}
          error={editor.faultAt(`${path}.minutes`)}
          onChange={(minutes) => onChange({ ...step, minutes: Number(minutes) })}
        />
      )
    case 'wait_for_approval':
      return <ApprovalFields {...{ editor, path, step, onChange }} />
    default:
      return null
  }
}

function ApprovalFields({ editor, path, step, onChange }: StepFieldsProps) {
  const asked = namedBefore(editor.definition, path).filter(({ action }) => action === 'request_approval')
  return (
    <>
      <Select
        label="Which request"
        description="A step before this one that asks for approval and has a name."
        data={asked.map(({ name }) => name)}
        value={step.request === '' ? null : (step.request ?? null)}
        error={editor.faultAt(`${path}.request`)}
        onChange={(request) => onChange({ ...step, request: request ?? '' })}
      />
      <span className={styles['otherwise']}>When it is refused or runs out</span>
      <StepList editor={editor} list={`${path}.otherwise`} label="when refused" />
    </>
  )
}
