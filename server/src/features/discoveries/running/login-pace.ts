/** How the last login at a host went: `silent` when its port had been open and nothing came of it. */
export type Answered = 'answered' | 'silent'

/**
 * How many hosts are logged in to at once: half as many after one that fell silent, one more after each that answered. Pure.
 */
export class LoginPace {
  readonly #most: number
  #atOnce: number
  #slowest: number
  #silent = 0

  constructor(most: number) {
    this.#most = most
    this.#atOnce = most
    this.#slowest = most
  }

  get atOnce(): number {
    return this.#atOnce
  }

  /** Empty: it was never slowed. */
  get slowed(): string {
    if (this.#slowest === this.#most) return ''
    const is = this.#atOnce < this.#most ? 'slowed' : 'were slowed'
    const logins = `${this.#silent} ${this.#silent === 1 ? 'login' : 'logins'}`
    return `logins ${is} to ${this.#slowest} of ${this.#most} hosts at once: ${logins} at an open port had no answer`
  }

  heard(answered: Answered): void {
    if (answered === 'answered') {
      this.#atOnce = Math.min(this.#most, this.#atOnce + 1)
      return
    }
    this.#silent++
    this.#atOnce = Math.max(1, Math.floor(this.#atOnce / 2))
    this.#slowest = Math.min(this.#slowest, this.#atOnce)
  }
}
