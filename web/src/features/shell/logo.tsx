import icon from '../../icon.svg'
import styles from './logo.module.css'

export function Logo() {
  return (
    <span className={styles['logo']}>
      <img src={icon} alt="" width={22} height={22} />
      <span className={styles['word']}>Rollcall</span>
    </span>
  )
}
