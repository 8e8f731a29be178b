import type { Definition } from '../flow-sentence.ts'

/** Why a draft cannot be saved yet, as a sentence: the first thing that is missing or wrong; undefined when it can. */
export function nextToDo(
  name: string,
  { trigger }: Definition,
  faults: ReadonlyMap<string, string> | undefined,
): string | undefined {
  if (name.trim() === '') return 'Name the flow.'
  const [fault] = faults ?? []
  if (!fault) return undefined
  const [place, message] = fault
  const isAboutNothing = trigger.kind === 'query' && (trigger.condition ?? '') === ''
  if (place === 'trigger.condition' && isAboutNothing) return 'Say which assets it is about.'
  return `${placeName(place)}: ${message}`
}

/** `steps[1].with.tags` is `Step 2, tags`, as the cards are numbered; other places are called as in the definition. */
function placeName(place: string): string {
  const [, at, field] = /^steps\[(\d+)\](?:\.(?:.*\.)?([^.]+))?$/.exec(place) ?? []
  if (at === undefined) return place
  const step = `Step ${Number(at) + 1}`
  return field === undefined ? step : `${step}, ${field}`
}
