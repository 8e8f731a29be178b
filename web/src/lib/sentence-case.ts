/** `virtual_machine` becomes `Virtual machine`. */
export const sentenceCase = (code: string): string => {
  const words = code.replaceAll(/[_.-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
