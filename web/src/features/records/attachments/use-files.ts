import { useEffect, useEffectEvent, useState } from 'react'

/** Takes files that are dropped anywhere on the page or pasted, as screenshots are. Returns whether some are dragged over it. */
export function useFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((event: Event, files: FileList | undefined) => {
    if (!files || files.length === 0) return
    event.preventDefault()
    onFiles([...files])
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      take(event, event.dataTransfer?.files)
    }
    // spreadsheets copy a picture beside the text that is meant for a field
    const paste = (event: ClipboardEvent) => {
      if (!isField(event.target)) take(event, event.clipboardData?.files)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
      document.removeEventListener('paste', paste)
    }
  }, [])
  return isOver
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
