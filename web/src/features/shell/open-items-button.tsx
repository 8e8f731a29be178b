import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { inWords } from '#lib/in-words.ts'
import { count } from '#lib/numbers.ts'
import styles from './open-items-button.module.css'
import { useOpenItems } from './navigation/use-open-items.ts'

const SHOWN = 5

interface OpenItemsButtonProps {
  readonly className: string | undefined
  /** Called when an item was chosen. */
  readonly onLeave?: (() => void) | undefined
}

/** What waits for people, as a number and a panel with links. */
export function OpenItemsButton({ className, onLeave }: OpenItemsButtonProps) {
  const [isOpen, panel] = useDisclosure(false)
  const data = useOpenItems()
  const groups = data ?? []
  const total = groups.reduce((sum, group) => sum + group.total, 0)
  const leave = () => {
    panel.close()
    onLeave?.()
  }
  return (
    <>
      <button
        type="button"
        className={`${className ?? ''} ${styles['button']}`}
        aria-label={data === undefined ? 'What waits' : `What waits: ${count(total)}`}
        onClick={panel.open}
      >
        <Bell size={16} aria-hidden />
        {total > 0 && <span className={styles['number']}>{total > 99 ? '99+' : total}</span>}
      </button>
      <Drawer opened={isOpen} onClose={panel.close} title="What waits" position="right" size="md">
        {data !== undefined && total === 0 && <p className="quiet">Nothing waits for you.</p>}
        {groups.map(({ kind, title, total: all, items }) => (
          <section key={kind} className={styles['group']}>
            <h3 className={styles['title']}>
              {inWords(title)} <span className="quiet">{count(all)}</span>
            </h3>
            <ul className={styles['items']}>
              {items.slice(0, SHOWN).map(({ key, subject, link }) => (
                <li key={key}>
                  <Link to={link} onClick={leave}>
                    {subject}
                  </Link>
                </li>
              ))}
            </ul>
            {all > SHOWN && (
              <Link to={items[0]?.link ?? '/'} onClick={leave} className="quiet">
                {`and ${count(all - SHOWN)} more`}
              </Link>
            )}
          </section>
        ))}
        <Link to="/notices" onClick={leave}>
          Choose what you are told
        </Link>
      </Drawer>
    </>
  )
}
