// Forms that ask the endpoints of this page with one's own key. The key stays in this page until it is closed.

const keyField = document.querySelector('#try-key')

for (const place of document.querySelectorAll('[data-try]')) {
  const { method, path, parameters, body } = JSON.parse(place.dataset.try)
  const form = document.createElement('form')
  const fields = parameters.map((parameter) => fieldFor(parameter, `${place.id}-${parameter.name}`))
  const text = body === null ? undefined : bodyFor(body, `${place.id}-body`)
  const send = element('button', { type: 'submit', textContent: `Send ${method}` })
  const result = element('pre', { tabIndex: 0, hidden: true })
  const status = element('p', { role: 'status' })
  form.append(...fields.map(({ label }) => label), ...(text ? [text.label] : []), send, status, result)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask({ method, path, fields, text, send, status, result })
  })
  place.append(form)
}

async function ask({ method, path, fields, text, send, status, result }) {
  if (keyField.value.trim() === '') {
    status.textContent = 'Write your key at the top of this page first.'
    keyField.focus()
    return
  }
  send.disabled = true
  status.textContent = 'Asking …'
  try {
    const began = performance.now()
    // oxlint-disable-next-line no-restricted-globals -- in the browser of who reads the page
    const answer = await fetch(addressOf(path, fields), {
      method,
      credentials: 'omit',
      headers: {
        'x-api-key': keyField.value.trim(),
        ...(text && { 'content-type': 'application/json' }),
      },
      ...(text && { body: text.input.value }),
    })
    const content = await answer.text()
    const left = answer.headers.get('x-ratelimit-remaining')
    status.textContent = `${answer.status} ${answer.statusText} in ${Math.round(performance.now() - began)} ms${left === null ? '' : `, ${left} requests left this minute`}`
    result.textContent = readable(content)
    result.hidden = content === ''
  } catch (error) {
    status.textContent = `The server did not answer: ${error instanceof Error ? error.message : String(error)}`
  }
  send.disabled = false
}

function addressOf(path, fields) {
  const query = new URLSearchParams()
  let whole = path
  for (const { parameter, input } of fields) {
    const value = input.value.trim()
    if (parameter.in === 'path') whole = whole.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(parameter.name, value)
  }
  return query.size === 0 ? whole : `${whole}?${query}`
}

const SHOWN_MAX = 20_000

function readable(content) {
  let text = content
  try {
    text = JSON.stringify(JSON.parse(content), undefined, 2)
  } catch {
    // a file is shown as it is
  }
  return text.length > SHOWN_MAX
    ? `${text.slice(0, SHOWN_MAX)}\n… ${text.length - SHOWN_MAX} characters more`
    : text
}

function fieldFor(parameter, id) {
  const input = element('input', { id, required: parameter.required, autocomplete: 'off', spellcheck: false })
  const label = element('label', {
    textContent: `${parameter.name} ${parameter.required ? '' : '(optional)'}`,
  })
  label.append(input)
  return { parameter, input, label }
}

function bodyFor(body, id) {
  const value = JSON.stringify(body, undefined, 2)
  const input = element('textarea', {
    id,
    value,
    rows: Math.min(12, value.split('\n').length + 1),
    spellcheck: false,
  })
  const label = element('label', { textContent: 'Body' })
  label.append(input)
  return { input, label }
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
