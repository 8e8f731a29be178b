import { ProbeFailure } from '../../probe.ts'

/**
 * Why one host could not be looked at. `absent`: nobody there, or nobody who speaks SSH. `key`: its key is another
 * than before, or nobody knows it and a person is asked. `login`: it let nobody in. `credential`: ours cannot be used. `shell`: it let us in and answers nothing
 * that can be read.
 */
export type FailureKind = 'absent' | 'key' | 'login' | 'credential' | 'shell'

export class HostFailure extends ProbeFailure {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}
