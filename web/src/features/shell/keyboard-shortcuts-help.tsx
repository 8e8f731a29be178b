import { Modal } from '@mantine/core'
import { navigationItems } from './navigation/navigation.ts'
import styles from './keyboard-shortcuts-help.module.css'

const GENERAL: readonly (readonly [string, string])[] = [
  ['/', 'Search on this screen'],
  ['Ctrl K', 'Find an asset or run a command'],
  ['j k', 'Next and previous row'],
  ['x', 'Select the row'],
  ['Enter', 'Open the row'],
  ['p', 'Show the row beside the list'],
  ['Esc', 'Close what is beside, or clear the selection'],
  ['?', 'This help'],
]

export function KeyboardShortcutsHelp({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const going = navigationItems.map(({ key, title }) => [`g ${key}`, title] as const)
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <dl className={styles['list']}>
        {[...GENERAL, ...going].map(([keys, meaning]) => (
          <div key={keys} className={styles['line']}>
            <dt>{meaning}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key} className={styles['key']}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
