import { Menu, Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { CONTROLS, newStep, type FlowEditor } from './flow-editor.ts'
import { StepCard } from './step-card.tsx'
import { insertStep, stepPath, stepsAt, type ListPath } from './step-tree.ts'
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
