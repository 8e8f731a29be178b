// Small changes of a program that its tests should notice, as places in its text.

const SWAPPED = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
}

/** In texts of SQL: as a regular expression, and what it becomes. */
const SQL = [
  [/ and /, ' or '],
  [/ or /, ' and '],
  [/ is null/, ' is not null'],
  [/ is not null/, ' is null'],
  [/ not exists /, ' exists '],
  [/ desc\b/, ' asc'],
  [/ < /, ' <= '],
  [/ >= /, ' > '],
  [/ = /, ' <> '],
  [/\bunion all\b/, 'union'],
  [/\bgreatest\(/, 'least('],
]

/** In scripts that hosts are given to run. */
const SHELL = [
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/\[ -n /, '[ -z '],
  [/\[ -z /, '[ -n '],
  [/\[ -([defrx]) /, '[ ! -$1 '],
  [/ 2>\/dev\/null/, ''],
]
const IS_SHELL = /\/dev\/null|\b(?:fi|done|esac)\b/

/** All of them in the text of a program, whose syntax tree is given. */
export function mutantsOf(text, tree) {
  const mutants = []
  visit(tree, (node) => mutants.push(...ofNode(text, node)))
  return mutants
}

function visit(node, see) {
  if (Array.isArray(node)) for (const each of node) visit(each, see)
  if (typeof node?.type !== 'string') return
  // types are gone when it runs
  if (node.type.startsWith('TS') && !node.expression) return
  see(node)
  for (const value of Object.values(node)) if (typeof value === 'object') visit(value, see)
}

function ofNode(text, node) {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return ofOperator(text, node)
    case 'IfStatement':
    case 'ConditionalExpression':
      return [
        {
          kind: 'condition',
          start: node.test.start,
          end: node.test.end,
          becomes: `!(${sourceOf(text, node.test)})`,
        },
      ]
    case 'Literal':
      return ofLiteral(node)
    case 'ExpressionStatement':
      return ofStatement(node)
    case 'TaggedTemplateExpression':
      return node.tag.name === 'sql' ? node.quasi.quasis.flatMap((it) => ofText(text, it, ['SQL', SQL])) : []
    case 'TemplateLiteral':
      return IS_SHELL.test(sourceOf(text, node))
        ? node.quasis.flatMap((it) => ofText(text, it, ['shell', SHELL]))
        : []
    default:
      return []
  }
}

function sourceOf(text, { start, end }) {
  return text.slice(start, end)
}

function ofOperator(text, { left, right, operator }) {
  const becomes = SWAPPED[operator]
  // of a text there is no difference
  if (
    becomes === undefined ||
    [left, right].some((it) => it.type === 'TemplateLiteral' || typeof it.value === 'string')
  )
    return []
  const start = text.indexOf(operator, left.end)
  return start < right.start ? [{ kind: 'operator', start, end: start + operator.length, becomes }] : []
}

function ofLiteral({ value, raw, start, end }) {
  if (typeof value === 'boolean') return [{ kind: 'literal', start, end, becomes: String(!value) }]
  if (typeof value === 'number') return [{ kind: 'literal', start, end, becomes: `(${raw} + 1)` }]
  return []
}

/** Left out, where it does something. */
function ofStatement({ expression, start, end }) {
  const done = expression.type === 'AwaitExpression' ? expression.argument : expression
  return done.type === 'CallExpression' ? [{ kind: 'left out', start, end, becomes: ';' }] : []
}

function ofText(text, { start, end }, [kind, patterns]) {
  const part = text.slice(start, end)
  return patterns.flatMap(([pattern, becomes]) => {
    const found = pattern.exec(part)
    if (!found) return []
    const at = start + found.index
    return [{ kind, start: at, end: at + found[0].length, becomes: found[0].replace(pattern, becomes) }]
  })
}
