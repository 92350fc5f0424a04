/**
 * One fault. `target` names the call concerned (`OfferManager.updateOffer`), so that an exemption
 * can name it alone.
 */
export interface Finding {
  message: string
  target?: string
}

/** Makes one finding of each message. */
export function findings (messages: readonly string[]): Finding[] {
  return messages.map(message => ({ message }))
}
