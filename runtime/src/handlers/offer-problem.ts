import { Value } from '@sinclair/typebox/value'
import type { Query } from '../database/database.ts'
import type { OfferOfJob } from '../offers/own-problems.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import { Id } from './payload.ts'

type Note = (query: Query, of: OfferOfJob, reason: string) => Promise<void>

/** Who reads the offer must learn at once that it was not written, without looking for the job. */
export function offerProblemOnDeath (note: Note): DeathEffects {
  return async ({ query }, { connectionId, payload: { offerId } }, { message }) => {
    // The payload may be what it died of.
    if (connectionId !== null && Value.Check(Id, offerId)) await note(query, { offerId, connectionId }, message)
  }
}
