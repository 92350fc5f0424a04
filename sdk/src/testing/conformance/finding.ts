/**
 * One thing that is wrong. `target` names the call concerned (`OfferManager.updateStock`), so that
 * it can be exempted alone.
 */
export interface Finding {
  message: string
  target?: string
}

/** Findings with one message each. */
export function findings (messages: readonly string[]): Finding[] {
  return messages.map(message => ({ message }))
}
