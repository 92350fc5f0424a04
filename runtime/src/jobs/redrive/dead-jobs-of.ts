import { InvalidRequestError } from '../../errors.ts'
import { toStorableTime } from '../../http/storable-time.ts'
import { createKeysOf, type ObjectKeysOf } from '../object-keys.ts'
import { emptyFilter } from './empty-filter.ts'
import type { RedriveFilter } from './schemas.ts'
import type { DeadJobs } from './store.ts'

/** Returns the function that turns a filter into values that the ledger can be asked for. */
export function createDeadJobsOf (objectKeysOf: ObjectKeysOf) {
  const keysOf = createKeysOf(objectKeysOf)

  return async function deadJobsOf ({ objectKey, offerId, orderId, ...filter }: RedriveFilter): Promise<DeadJobs> {
    if ([objectKey, offerId, orderId, ...Object.values(filter)].every(value => value === undefined)) {
      const problem = { pointer: '/filter', code: 'minProperties', message: emptyFilter }
      throw Object.assign(new InvalidRequestError(emptyFilter), { errors: [problem] })
    }
    const { connectionId, since, until, jobIds } = filter
    return {
      ...filter,
      objectKeys: await keysOf({
        objectKey,
        connectionId,
        ...(offerId === undefined ? {} : { offerId }),
        ...(orderId === undefined ? {} : { orderId })
      }),
      since: since === undefined ? undefined : toStorableTime(since),
      until: until === undefined ? undefined : toStorableTime(until),
      jobIds: jobIds === undefined ? undefined : [...new Set(jobIds.map(id => id.toLowerCase()))]
    }
  }
}
