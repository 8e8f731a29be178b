// Loads in the head: the theme that was chosen in the app is there before anything is painted.
try {
  const chosen = localStorage.getItem('rollcall-theme')
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.mantineColorScheme = chosen
} catch {
  // without storage the system decides
}

const RESULTS_MAX = 12

addEventListener('DOMContentLoaded', () => {
  if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.menu details').open = false
  const form = document.querySelector('form[role=search]')
  const input = form.querySelector('input')
  const list = form.querySelector('ol')
  let documents
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  input.addEventListener('input', () => {
    documents ??= fetch('/docs/search.json').then((answer) => answer.json())
    void documents.then((all) => show(list, found(all, input.value)))
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(list, undefined)
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const places = [input, ...list.querySelectorAll('a')]
    const next = places.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
    places[(next + places.length) % places.length].focus()
  })
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) show(list, undefined)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input')) return
    event.preventDefault()
    input.focus()
  })
})

/** What has all the words: in a title, in the name of a part, in the text. Undefined where nothing is asked. */
function found(documents, asked) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  const hasAll = (text) => words.every((word) => text.includes(word))
  const inTitles = documents.filter(({ title }) => hasAll(title.toLowerCase()))
  const inParts = documents.flatMap(({ address, title, parts }) =>
    parts
      .filter(([, text]) => hasAll(text.toLowerCase()))
      .map(([id, text]) => ({ address: `${address}#${id}`, title: text, within: title })),
  )
  const inText = documents.filter((it) => !inTitles.includes(it) && hasAll(it.words))
  return [...inTitles, ...inParts, ...inText.map((it) => ({ ...it, within: 'in the text' }))].slice(
    0,
    RESULTS_MAX,
  )
}

function show(list, results) {
  list.hidden = results === undefined
  list.replaceChildren(...(results ?? []).map(lineOf))
  if (results?.length === 0)
    list.append(Object.assign(document.createElement('li'), { textContent: 'Nothing has all these words.' }))
}

function lineOf({ address, title, within }) {
  const link = Object.assign(document.createElement('a'), { href: address, textContent: title })
  if (within) link.append(Object.assign(document.createElement('small'), { textContent: ` ${within}` }))
  const line = document.createElement('li')
  line.append(link)
  return line
}
