import { Button, SegmentedControl, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { NumberField } from '#ui/number-field.tsx'
import { agentChoices, type AgentChoice } from './install-lines.ts'

/** Whose agent the token is for, how many hosts it serves, and whether each of them is approved. */
export interface NewToken {
  readonly choice: AgentChoice
  readonly uses: number
  readonly needsApproval: boolean
}

interface NewTokenFormProps {
  readonly isBusy: boolean
  readonly onSubmit: (token: NewToken) => void
}

const USES_MAX = 1_000_000

export function NewTokenForm({ isBusy, onSubmit }: NewTokenFormProps) {
  const [choice, setChoice] = useState<AgentChoice>('linux')
  const [uses, setUses] = useState<string | number>(1)
  const [needsApproval, setNeedsApproval] = useState(false)
  const isOwn = choice !== 'other'
  const isWhole = typeof uses === 'number' && Number.isInteger(uses) && uses >= 1 && uses <= USES_MAX
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit({ choice, uses: Number(uses), needsApproval: isOwn && needsApproval })
      }}
    >
      <Stack gap="sm">
        <SegmentedControl
          fullWidth
          aria-label="Kind of agent"
          data={agentChoices.map((it) => ({ ...it }))}
          value={choice}
          onChange={(value) => setChoice(value as AgentChoice)}
        />
        {isOwn ? (
          <HostsFields {...{ uses, isWhole, needsApproval }} onUses={setUses} onApproval={setNeedsApproval} />
        ) : (
          <p className="quiet">
            One address for any number of agents of GLPI, FusionInventory, OCS and osquery, for a year.
          </p>
        )}
        <Button type="submit" loading={isBusy} disabled={isOwn && !isWhole}>
          Show the lines
        </Button>
      </Stack>
    </form>
  )
}

interface HostsFieldsProps {
  readonly uses: string | number
  readonly isWhole: boolean
  readonly needsApproval: boolean
  readonly onUses: (uses: string | number) => void
  readonly onApproval: (needsApproval: boolean) => void
}

/** Of a token for our own agent. */
function HostsFields({ uses, isWhole, needsApproval, onUses, onApproval }: HostsFieldsProps) {
  return (
    <>
      <NumberField
        label="Hosts"
        description="How many may enrol with the same lines, within 30 days"
        min={1}
        max={USES_MAX}
        value={uses}
        onChange={onUses}
        error={isWhole ? undefined : 'A whole number from 1 to 1,000,000'}
      />
      <Switch
        label="Approve each host before its reports are taken"
        checked={needsApproval}
        onChange={(event) => onApproval(event.currentTarget.checked)}
      />
    </>
  )
}
