import { expect, test } from 'vitest'
import { translateSentence } from './translate-sentence.ts'

const sentences = {
  'must be {0}': 'muss {0} sein',
  'must be {0} to {1} letters': 'muss {0} bis {1} Buchstaben haben',
  'name: there is a role {0} already': 'Name: es gibt schon eine Rolle {0}',
  '{0} of {1} (any)': 'von {1} alles: {0}',
  'role not found': 'Die Rolle wurde nicht gefunden',
}

test.each([
  ['role not found', 'Die Rolle wurde nicht gefunden'],
  ['name: must be 1 to 9 letters', 'name: muss 1 bis 9 Buchstaben haben'],
  ['items[0].name: must be short', 'items[0].name: muss short sein'],
  ['name: there is a role A: B already', 'Name: es gibt schon eine Rolle A: B'],
  ['x of y (any)', 'von y alles: x'],
  ['is known to nobody', 'is known to nobody'],
  ['name: is known to nobody', 'name: is known to nobody'],
  ['constructor', 'constructor'],
])('%s is %s', (sentence, translated) => {
  expect(translateSentence(sentence, sentences)).toBe(translated)
})
