/**
 * A failure of the host that passed through an adapter unhandled. Its code and message may leave
 * the hub unchanged.
 */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: string

  constructor (code: string, message: string) {
    super(message)
    this.code = code
  }
}
