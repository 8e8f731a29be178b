export const paperNames = ['a4', 'letter'] as const
export type PaperName = (typeof paperNames)[number]
