import { Modal } from '@mantine/core'
import { useState } from 'react'
import { Search } from 'lucide-react'
import styles from './command-palette.module.css'
import type { Command } from './command.ts'
import { useCommands } from './commands.ts'
import { PALETTE_FIELD } from './typed-ahead.tsx'

interface CommandPaletteProps extends FinderProps {
  readonly isOpen: boolean
}

interface FinderProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onClose: () => void
}

/** Searches screens, actions and assets. */
export function CommandPalette({ isOpen, ...finder }: CommandPaletteProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={finder.onClose}
      withCloseButton={false}
      padding={0}
      size={620}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': 'Search or run a command' } }}
    >
      <Finder {...finder} />
    </Modal>
  )
}

const LIST = 'palette-list'
const idOf = (command: Command | undefined): string | undefined => command && `command-${command.id}`

function Finder({ text, onText, onClose }: FinderProps) {
  const [index, setIndex] = useState(0)
  const { commands, isSearching } = useCommands(text)
  const current = commands[Math.min(index, commands.length - 1)]
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setIndex((at) => (at + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter') run(current)
    else return
    event.preventDefault()
  }
  return (
    <div>
      <label className={styles['field']}>
        <Search size={16} aria-hidden />
        <input
          data-autofocus
          id={PALETTE_FIELD}
          className={styles['input']}
          role="combobox"
          aria-expanded
          aria-controls={LIST}
          aria-activedescendant={idOf(current)}
          aria-label="Search or run a command"
          placeholder="Find assets, CVEs, software, people; go somewhere or do something"
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            onText(target.value)
            setIndex(0)
          }}
        />
      </label>
      <Commands commands={commands} isSearching={isSearching} current={current} onRun={run} />
      <p className={styles['hint']}>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
      </p>
    </div>
  )
}

interface CommandsProps {
  readonly commands: readonly Command[]
  readonly isSearching: boolean
  readonly current: Command | undefined
  readonly onRun: (command: Command) => void
}

function Commands({ commands, isSearching, current, onRun }: CommandsProps) {
  return (
    <div id={LIST} role="listbox" aria-label="Results" className={styles['list']}>
      {commands.length === 0 && (
        <p className={styles['none']}>
          {isSearching
            ? 'Searching…'
            : 'Nothing found. Try a part of a name, an address, a serial number or a CVE.'}
        </p>
      )}
      {commands.map((command) => {
        const { id, icon: Icon, title, aside } = command
        return (
          <div
            key={id}
            id={idOf(command)}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            className={styles['command']}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onRun(command)}
            onKeyDown={() => undefined}
          >
            <Icon size={15} aria-hidden />
            <span className={styles['title']}>{title}</span>
            <span className={styles['aside']}>{aside}</span>
          </div>
        )
      })}
    </div>
  )
}
