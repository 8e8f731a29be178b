// Refusals of the server that nobody reads in the app, and why. All others have a translation.

/** Files of the server, by how their path begins or by a part of it. */
const UNSEEN_FILES: readonly (readonly [RegExp, string])[] = [
  [/^commands\//, 'printed by commands'],
  [/\/(cli|commands)\/|\/cli(-[a-z-]+)?\.ts$|-cli\.ts$/, 'printed by commands'],
  [/^features\/agents\/updates\/make-release\.ts$/, 'printed by the command that makes a release'],
  [/^features\/demo\//, 'printed by the command that makes demo data'],
  [/^platform\/(backup|cells)\//, 'printed by commands, and when the server starts'],
  [/^(serve|startup\/(collector|installation))\.ts$/, 'printed when the server starts'],
  [/^features\/agents\/(messages|packages|signed)\//, 'answered to agents'],
  [/^features\/agents\/(protocols|tokens\/token-authentication)\.ts$/, 'answered to agents'],
  [/^features\/agents\/osquery\//, 'answered to osquery'],
  [/^features\/collectors\/requests\//, 'answered to collectors'],
  [/^platform\/protocols\//, 'answered to agents and collectors'],
  [/^features\/flows\/hooks\/hook-request\.ts$/, 'answered to the sender of a webhook'],
  [
    /^platform\/http\/(connection-errors|csrf|fastify-errors|idempotency|json-body|pipeline|session-routes|uploads)\.ts$/,
    'answered to a program that sends what the app never sends',
  ],
  [/^platform\/observability\/health\.ts$/, 'answered to a load balancer'],
]

const UNSEEN_SENTENCES: Readonly<Record<string, string>> = {
  '{0} not found': 'what every such refusal is made of; each is translated whole',
  'allowed here: {0}': 'answered to a program that uses another method than the app',
  'send the body as application/json': 'answered to a program that sends another type than the app',
  'this endpoint was removed; see {0} for what to use instead': 'the app uses no endpoint that was removed',
}

/** Refusals that people read in the app, and that a catalogue lacks. */
export const untranslated = (
  refusals: ReadonlyMap<string, readonly string[]>,
  sentences: Readonly<Record<string, string>>,
): readonly string[] =>
  [...refusals]
    .filter(([sentence, files]) => !(sentence in sentences) && !isUnseen(sentence, files))
    .map(([sentence]) => sentence)

/** Whether a sentence needs no translation: nobody reads it in the app, or it is all placeholders. */
const isUnseen = (sentence: string, files: readonly string[]): boolean =>
  sentence in UNSEEN_SENTENCES ||
  !/\p{L}/u.test(sentence) ||
  files.every((file) => UNSEEN_FILES.some(([path]) => path.test(file)))

/** What the list names in vain. */
export const namedInVain = (refusals: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const files = [...refusals.values()].flat()
  return [
    ...Object.keys(UNSEEN_SENTENCES).filter((it) => !refusals.has(it)),
    ...UNSEEN_FILES.filter(([path]) => !files.some((file) => path.test(file))).map(([path]) => path.source),
  ]
}
