/** The objects whose jobs a filter can name by the id of the object. */
export interface ObjectNames {
  offerId?: string
  orderId?: string
}

/** Returns the keys of all jobs whose payload names this object, on one connection or on all. */
export type ObjectKeysOf = (
  member: keyof ObjectNames,
  id: string,
  connectionId: string | undefined
) => Promise<readonly string[]>

interface Wanted extends ObjectNames {
  objectKey?: string | undefined
  connectionId?: string | undefined
}

/**
 * Returns the function that turns a filter by objects into the keys of their jobs. A job has to be
 * about each of the objects. Undefined: the filter names no object.
 */
export function createKeysOf (objectKeysOf: ObjectKeysOf) {
  return async function keysOf ({ objectKey, offerId, orderId, connectionId }: Wanted): Promise<string[] | undefined> {
    const sets = [
      ...(objectKey === undefined ? [] : [[objectKey]]),
      ...(offerId === undefined ? [] : [await objectKeysOf('offerId', offerId, connectionId)]),
      ...(orderId === undefined ? [] : [await objectKeysOf('orderId', orderId, connectionId)])
    ]
    const [first, ...others] = sets
    return first?.filter(key => others.every(keys => keys.includes(key)))
  }
}
