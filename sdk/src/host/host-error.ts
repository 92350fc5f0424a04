/**
 * A failure of the host that an adapter met and let through. Its code and message may leave the hub
 * as they are.
 */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: string

  constructor (code: string, message: string) {
    super(message)
    this.code = code
  }
}
