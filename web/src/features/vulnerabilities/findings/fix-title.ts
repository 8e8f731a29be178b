/** Between the software and the version that fixes it. */
export const ARROW = ' → '

/** `Update Notepad++ 7.9 to 8.5`: a version that the name of the software has already is not said again. */
export function fixTitle(value: string): string {
  const arrow = value.lastIndexOf(ARROW)
  return `Update ${saidOnce(value.slice(0, arrow))} to ${value.slice(arrow + ARROW.length)}`
}

const VERSION = /^\(?v?(\d+(?:[.\-_]\d+)+)[,)]*$/i

/** Without the version at the end where the name says the same one, or its beginning. */
function saidOnce(software: string): string {
  const end = software.lastIndexOf(' ')
  const [name, version] = [software.slice(0, end), software.slice(end + 1)]
  const isSaid = name.split(' ').some((word) => {
    const named = VERSION.exec(word)?.[1]
    return named !== undefined && (version === named || version.startsWith(`${named}.`))
  })
  return end > 0 && isSaid ? name : software
}
