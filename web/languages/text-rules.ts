// Which strings of the sources are texts that people read. What stands between tags always is; of strings, the place
// decides, and where the place says nothing, whether it reads as words.

/** Attributes and properties of objects whose strings are texts, single lowercase words too. */
export const TEXT_NAMES: ReadonlySet<string> = new Set([
  'action',
  'alt',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'aside',
  'asks',
  'below',
  'caption',
  'confirm',
  'description',
  'does',
  'done',
  'empty',
  'help',
  'hint',
  'label',
  'none',
  'note',
  'nothingFoundMessage',
  'placeholder',
  'storageNote',
  'title',
  'warning',
  'what',
  'why',
  'word',
  'words',
])

/** Attributes and properties that never hold a text, whatever it looks like. */
export const CODE_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'autoComplete',
  'className',
  'color',
  'd',
  'download',
  'fontFamily',
  'gridTemplateColumns',
  'href',
  'id',
  'key',
  'padding',
  'path',
  'pattern',
  'permission',
  'rel',
  'style',
  'to',
  'transform',
  'variant',
  'viewBox',
  'where',
  'yOffset',
])

/** Functions whose arguments are texts; `many` is handled by itself. */
export const TEXT_CALLS: ReadonlySet<string> = new Set(['toastDone', 'toastFailed', 'setOutcome', 'useTitle'])

/** Functions whose arguments are none. */
export const CODE_CALLS: ReadonlySet<string> = new Set([
  'Error',
  'NumberFormat',
  'RegExp',
  'addEventListener',
  'closest',
  'fetch',
  'getInputProps',
  'getItem',
  'lazyScreen',
  'many',
  'matches',
  'normalize',
  'plural',
  'querySelector',
  'querySelectorAll',
  'removeEventListener',
  'super',
  'useMediaQuery',
  'useOffset',
])

/** Files that write commands and conditions, which look like texts. */
const CODE_FILES: ReadonlySet<string> = new Set([
  'features/conditions/condition-terms.ts',
  'features/flows/hooks/curl-command.ts',
  'features/overview/coverage-conditions.ts',
])

/** Strings that look like texts, by file. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  'api/client.ts': ['ApiError'],
  'api/lazy-screen.ts': ['ScreenNotLoaded'],
  'features/bulk-changes/bulk-selection.ts': ['not id in ({join})'],
  'features/changes/change-filters.tsx': [' and '],
  'features/conditions/draft.ts': ['({0} or {alternative})'],
  'features/conditions/use-facets.ts': ['has id'],
  'features/flows/editor/flow-editor.ts': ['if', 'for_each', 'wait', 'wait_for_approval', 'stop'],
  'features/session/not-a-member.tsx': ['NotAMemberError'],
}

/** Texts that look like codes, by file. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'features/agents/enrolment-tokens-panel.tsx': ['anywhere'],
  'features/assets/editing/candidate-values.ts': ['recognised'],
  'features/assets/evidence/evidence-panel.tsx': ['somebody', 'you'],
  'features/assets/evidence/identifier-labels.ts': ['serial'],
  'features/assets/groups/group-uses.ts': [
    'check',
    'checks',
    'flow',
    'flows',
    'group',
    'groups',
    'override',
    'overrides',
    'report',
    'reports',
    'role',
    'roles',
  ],
  'features/bulk-changes/bulk-words.ts': ['tag', 'tags'],
  'features/changes/change-words.ts': ['tags'],
  'features/compliance/statements/statement-differences.tsx': ['applies', 'excluded'],
  'features/compliance/summary-panel.tsx': ['are', 'fail', 'fails', 'is'],
  'features/conditions/describe-term.ts': [
    ' and ',
    'above',
    'after',
    'before',
    'below',
    'contains',
    'is',
    'since',
    'until',
    'with',
  ],
  'features/compliance/checks-panels.tsx': [
    '{failed}\u00a0of\u00a0{inScope}',
    '{unknown}\u00a0of\u00a0{inScope}',
  ],
  'features/discoveries/discoveries-panel.tsx': ['nothing'],
  'features/feeds/feeds-page.tsx': ['off', 'on'],
  'features/flows/flow-sentence.ts': [' and ', ' or '],
  'features/flows/flows-page.tsx': ['never'],
  'features/lifecycles/end-of-life-dates.ts': ['today'],
  'features/notices/channels-panel.tsx': ['never'],
  'features/overview/small-tiles.tsx': ['ended'],
  'features/scans/host-change.tsx': ['model', 'vendor'],
  'features/tenancy/organisations/invite-to-several.ts': ['It has no role {roleName}'],
  'features/topology/relations-panel.tsx': [' to '],
  'features/vulnerabilities/findings/derivation.ts': [' in '],
}

/** What is known of a string of a file by its name; undefined: its place decides. */
export function knownAs(text: string, file: string): 'text' | 'code' | undefined {
  if (CODE_FILES.has(file) || CODES[file]?.includes(text)) return 'code'
  return TEXTS[file]?.includes(text) ? 'text' : undefined
}

const WORDS = /\p{L}{2}/u
const STARTS_AS_WORD = /^[\p{Lu}“]\p{L}*[\p{Ll}…]/u
const SEVERAL_WORDS =
  /\p{L}[\p{L}\p{N}’'\-/]*[,.:;)”]* [“(]?\p{L}|\} [“(]?\p{L}|\p{L} \{|: \{|\p{L} [\p{N}–·]/u
const CODE = /^[a-z]+[A-Z]|^[\w.-]*_\w*$|[<>=]|^\/|^https?:|;\s*\w+:|\$\{|^[\w-]+\/[\w.+-]+$/

/** Whether a string in a place that says nothing reads as a text; placeholders are in braces. */
export const looksLikeText = (text: string): boolean =>
  WORDS.test(text.replace(/\{\w+\}/g, '')) &&
  !CODE.test(text) &&
  (STARTS_AS_WORD.test(text) || SEVERAL_WORDS.test(text))

export const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\w+\}|<\/?\d+\/?>/g, ''))
