import { verifyProof } from '../../src/features/audit/audit.ts'

/** Changes each byte of a proof, one at a time; answers what stands around those whose change the verifier does not find. */
export const unnoticedChanges = (text: string): string[] =>
  Array.from({ length: text.length }, (_, at) => text[at]).flatMap((letter, at) => {
    const changed = `${text.slice(0, at)}${letter === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
    return verifyProof(changed).faults.length > 0 ? [] : [changed.slice(Math.max(0, at - 30), at + 10)]
  })
