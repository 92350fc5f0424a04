// Events in the history of an order that the hub also reads.

/**
 * An earlier version of the hub cancelled the order because its marketplace did not know it any
 * more.
 */
export const goneEvent = 'gone from the marketplace'

/** The marketplace answered that it does not know the order, and the hub asks again. */
export const unknownEvent = 'unknown at the marketplace'

/** Another order of the marketplace has taken the place of the order. */
export const replacedEvent = 'replaced by another order'

/** The marketplace changed the order after the shop got it. */
export const changedEvent = 'changed at the marketplace'

/** The hub made these changes in the shop, too. */
export const updatedEvent = 'changed in the shop'

/** An operator saw to the problems of the order. */
export const settledEvent = 'settled'
