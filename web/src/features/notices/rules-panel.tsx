import { Button } from '@mantine/core'
import { Bell, Pencil, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { send } from '#api/client.ts'
import {
  CreateNoticeRuleDocument,
  DeleteNoticeRuleDocument,
  SetNoticeRuleActiveDocument,
  type NoticeChannelRow,
  type NoticeRuleRow,
  type NoticesData,
} from '#api/generated/notices.ts'
import { useChange } from '#api/query-client.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { RuleForm } from './rule-form.tsx'

interface RulesPanelProps {
  readonly rules: readonly NoticeRuleRow[]
  readonly channels: readonly NoticeChannelRow[]
  readonly subjects: NoticesData['noticeSubjects']
}

const WHEN = { now: 'at once', hourly: 'every hour', daily: 'once a day' } as const

/** One sentence for each rule: what, where, when. */
export function RulesPanel({ rules, channels, subjects }: RulesPanelProps) {
  const [editing, setEditing] = useState<NoticeRuleRow | 'new'>()
  const titles = new Map(subjects.map(({ name, title }) => [name, title]))
  const add = (
    <Button size="xs" leftSection={<Plus size={14} aria-hidden />} onClick={() => setEditing('new')}>
      New rule
    </Button>
  )
  return (
    <Panel title="My rules" aside={add} isFlush>
      <DataTable
        label="My rules"
        columns={columnsOf(titles, channels, setEditing)}
        rows={rules}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Bell} title="No rule yet">
            A rule tells you of new findings, failed scans, approvals that wait and more.
          </EmptyState>
        }
      />
      {editing && (
        <RuleForm
          rule={editing === 'new' ? undefined : editing}
          channels={channels}
          subjects={subjects}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}

function columnsOf(
  titles: ReadonlyMap<string, string>,
  channels: readonly NoticeChannelRow[],
  onEdit: (rule: NoticeRuleRow) => void,
): readonly Column<NoticeRuleRow>[] {
  return [
    {
      title: 'Rule',
      cell: (rule) => (
        <TwoLines below={<Sentence rule={rule} titles={titles} channels={channels} />}>{rule.name}</TwoLines>
      ),
    },
    {
      title: 'State',
      cell: ({ active, disabledReason }) => (
        <TwoLines below={disabledReason ?? undefined}>
          <Badge tone={active ? 'good' : 'none'} sign={active ? '●' : '○'}>
            {active ? 'On' : 'Off'}
          </Badge>
        </TwoLines>
      ),
    },
    { title: '', align: 'right', cell: (rule) => <RuleMenu rule={rule} onEdit={() => onEdit(rule)} /> },
  ]
}

interface SentenceProps {
  readonly rule: NoticeRuleRow
  readonly titles: ReadonlyMap<string, string>
  readonly channels: readonly NoticeChannelRow[]
}

function Sentence({ rule, titles, channels }: SentenceProps) {
  const what = [...rule.itemKinds, ...rule.eventTypes].map((name) => titles.get(name) ?? name).join(', ')
  const channel = channels.find(({ id }) => id === rule.channelId)
  const where = rule.channelId === null ? 'mail to me' : (channel?.name ?? 'a channel that was removed')
  return (
    <>
      {what}
      {rule.condition && (
        <>
          {' '}
          if <code>{rule.condition}</code>
        </>
      )}
      {`: ${where}, ${WHEN[rule.digest]}`}
    </>
  )
}

interface RuleMenuProps {
  readonly rule: NoticeRuleRow
  readonly onEdit: () => void
}

function RuleMenu({ rule, onEdit }: RuleMenuProps) {
  const { id, name, active } = rule
  const change = useChange(SetNoticeRuleActiveDocument, {
    done: active ? 'Rule switched off' : 'Rule switched on',
  })
  const remove = useChange(DeleteNoticeRuleDocument, {
    done: 'Rule removed',
    undo: () =>
      send(CreateNoticeRuleDocument, {
        ...rule,
        eventTypes: [...rule.eventTypes],
        itemKinds: [...rule.itemKinds],
      }),
  })
  return (
    <RowMenu
      label={`Actions for ${name}`}
      actions={[
        { title: 'Change…', icon: Pencil, onChoose: onEdit },
        {
          title: active ? 'Switch off' : 'Switch on',
          icon: Power,
          onChoose: () => change.mutate({ id, active: !active }),
        },
        { title: 'Remove', icon: Trash2, isDestructive: true, onChoose: () => remove.mutate({ id }) },
      ]}
    />
  )
}
