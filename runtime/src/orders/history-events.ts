// Events in the history of an order that the hub also reads.

/** The order was cancelled because its marketplace did not know it any more. */
export const goneEvent = 'gone from the marketplace'

/** Another order of the marketplace has taken the place of the order. */
export const replacedEvent = 'replaced by another order'
