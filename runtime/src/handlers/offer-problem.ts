import { Value } from '@sinclair/typebox/value'
import type { Query } from '../database/database.ts'
import { Id } from '../jobs/define-job.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import type { OfferOfJob } from '../offers/store.ts'

type Note = (query: Query, of: OfferOfJob, reason: string) => Promise<void>

/** Notes on the offer that a job could not write it, so that nobody has to look for the job. */
export function offerProblemOnDeath (note: Note): DeathEffects {
  return async ({ query }, { connectionId, payload: { offerId } }, { message }) => {
    // The job may have died because of its payload.
    if (connectionId !== null && Value.Check(Id, offerId)) await note(query, { offerId, connectionId }, message)
  }
}
