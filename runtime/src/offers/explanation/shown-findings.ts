import { isLastWord } from '../reconcile/unwritten.ts'
import type { Facts, JobFacts, LinkedFacts, OfferFacts } from './facts.ts'
import { atMoment, momentOf, untilMoment, type Finding } from './finding.ts'
import {
  diagnoseConnection,
  enableConnection,
  linkOffer,
  noWay,
  reconcileStock,
  refreshOffer,
  resumeCapability,
  resumeConnection,
  retryJob,
  showAdapters,
  testConnection
} from './next-actions.ts'
import { endOfLag, quantitiesOf, readWithinLag } from './quantities.ts'
import type { NextAction, Verdict } from './schemas.ts'
import { reasonOf, actionWhileWaiting, describeWaiting, whyPaused, whyStopped } from './wanted-findings.ts'

// The reasons why a marketplace does not show, or may not show, the quantity that it should show.

const createAgain = (connectionId: string): NextAction => ({
  sentence: `Create the offer again with \`POST /listings/connections/${connectionId}/offers\`.`,
  ...noWay
})
const readAgain = (sentence: string, id: string): NextAction => ({ sentence, ...refreshOffer(id) })

/** No stock decides what the offer shows. */
export function notLinked (facts: Facts): Finding | undefined {
  const { offer, connection, checkedAt: now } = facts
  if (facts.kind === 'unlinked') {
    const { releasedAt, seenAt } = facts.offer
    return {
      verdict: 'not-linked',
      clause: releasedAt === null
        ? 'it is linked to no variant, so it follows no stock'
        : `an operator unlinked it${atMoment(releasedAt, now)}, so it follows no stock`,
      evidence: { at: releasedAt ?? seenAt, connectionId: connection.id },
      nextAction: {
        sentence: 'Link it to the variant whose stock it should show.',
        ...linkOffer(connection.id, offer.externalId)
      }
    }
  }
  if (facts.offer.status !== 'ENDED') return undefined
  const because = facts.offer.problems.find(({ code }) => code === 'unknown-at-marketplace')
  const seen = offer.seenAt === null ? '' : ` (last seen${atMoment(offer.seenAt, now)})`
  return {
    verdict: 'not-linked',
    clause: `it has ended${because === undefined ? '' : `: ${because.detail}`}${seen}, so it follows no stock any more`,
    evidence: { at: offer.seenAt, connectionId: connection.id },
    nextAction: createAgain(connection.id)
  }
}

/**
 * The hub does not write what the seller froze, whatever else is true. It does not keep when it
 * first saw the freeze, so the sentence tells when the offer was last read.
 */
export function frozenBySeller ({ offer, connection, checkedAt: now }: LinkedFacts): Finding | undefined {
  if (!offer.frozenFields.includes('stock')) return undefined
  const at = lastReadAt(offer)
  const read = at === null ? '' : ` (last read${atMoment(at, now)})`
  return {
    verdict: 'frozen-by-seller',
    clause: `the seller froze the stock at '${connection.name}'${read}, so the hub does not write it`,
    evidence: { at, connectionId: connection.id },
    nextAction: readAgain('Release the stock at the marketplace. Then let the hub read the offer.', offer.id)
  }
}

/** A reading stores the state of an offer, and its quantity only when no write is on its way. */
function lastReadAt ({ seenAt, upstreamReadAt }: OfferFacts): string | null {
  if (seenAt === null || upstreamReadAt === null) return seenAt ?? upstreamReadAt
  return Date.parse(seenAt) > Date.parse(upstreamReadAt) ? seenAt : upstreamReadAt
}

/** No call reaches the marketplace. A pause is another verdict: somebody means it to be so. */
export function connectionError ({ connection, checkedAt: now }: LinkedFacts): Finding | undefined {
  const stop = whyStopped({ ...connection, pause: null }, 'connection', now)
  return stop === undefined ? undefined : {
    verdict: 'connection-error',
    clause: stop.clause,
    evidence: { at: stop.at, connectionId: connection.id },
    nextAction: stop.nextAction
  }
}

export function connectionPaused ({ connection, checkedAt: now }: LinkedFacts): Finding | undefined {
  const stop = whyPaused(connection, 'connection', now)
  return stop === undefined ? undefined : {
    verdict: 'connection-paused',
    clause: stop.clause,
    evidence: {
      at: stop.at,
      connectionId: connection.id,
      ...typeof stop.until === 'string' ? { until: stop.until } : {}
    },
    nextAction: stop.nextAction
  }
}

/** The last version was not written, because its job did not end well. */
export function notWritten (facts: LinkedFacts): Finding | undefined {
  return isToWrite(facts) ? refusedLater(facts) ?? notCreated(facts) ?? failedJob(facts) : undefined
}

/** The job succeeded, and then the marketplace refused what it had taken. */
function refusedLater ({ offer, connection, writeJob }: LinkedFacts): Finding | undefined {
  const refusal = offer.problems.find(({ code }) => code === 'quantity-refused' || code === 'never-shown')
  if (refusal === undefined || (writeJob !== null && !hasSucceeded(writeJob))) return undefined
  const isNeverShown = refusal.code === 'never-shown'
  return {
    verdict: 'write-refused',
    clause: refusal.detail,
    evidence: {
      at: isNeverShown ? offer.createdUpstreamAt : offer.lastSyncedAt,
      connectionId: connection.id,
      ...writeJob === null ? {} : { jobId: writeJob.id }
    },
    nextAction: isNeverShown
      ? createAgain(connection.id)
      : readAgain(`Remove what '${connection.name}' objects to. Then let the hub write the offer again.`, offer.id)
  }
}

/** The creation failed so long ago that the ledger no longer has its job. */
function notCreated ({ offer, connection, writeJob }: LinkedFacts): Finding | undefined {
  const failure = offer.problems.find(({ code }) => code === 'not-created')
  if (failure === undefined || writeJob !== null) return undefined
  return {
    verdict: 'write-dead',
    clause: `the offer was not created: ${failure.detail}`,
    evidence: { at: null, connectionId: connection.id },
    nextAction: createAgain(connection.id)
  }
}

function failedJob (facts: LinkedFacts): Finding | undefined {
  const { connection, writeJob, checkedAt: now } = facts
  if (writeJob === null || (writeJob.status !== 'dead' && writeJob.status !== 'cancelled')) return undefined
  const { id, status, problem, finishedAt } = writeJob
  const isRefused = status === 'dead' && isLastWord(problem?.code)
  const purpose = quantitiesOf(facts).isUnmade ? 'which should create the offer' : 'which should write it'
  const end = `${status === 'dead' ? 'died' : 'was cancelled'}${atMoment(finishedAt, now)}${reasonOf(problem)}`
  return {
    verdict: isRefused ? 'write-refused' : 'write-dead',
    clause: isRefused
      ? `'${connection.name}' refused job ${id}, ${purpose}: it ${end}`
      : `job ${id}, ${purpose}, ${end}`,
    evidence: { at: finishedAt, jobId: id, ...problem === null ? {} : { code: problem.code } },
    nextAction: {
      sentence: isRefused
        ? 'Remove what the marketplace objects to. Then run the job again: else a comparison does so after an hour.'
        : 'Run the job again.',
      ...retryJob(id)
    }
  }
}

/** A sale takes pieces away, and never adds any. */
function whoChanged (shown: number, written: number): string {
  return shown > written ? 'somebody changed it there' : 'somebody changed it there, or pieces were sold'
}

/** The hub did not write what the marketplace shows. */
export function changedThere (facts: LinkedFacts): Finding | undefined {
  const { offer, connection, checkedAt: now } = facts
  const { isChanged, written, wanted, shown } = quantitiesOf(facts)
  if (!isChanged) return undefined
  const at = offer.upstreamReadAt
  // Until then, the hub could not see whether the repair had worked.
  const until = endOfLag(facts)
  return {
    verdict: 'changed-there',
    clause:
      `'${connection.name}' showed ${shown}${atMoment(at, now)}, not the ${written ?? wanted} that the hub wrote` +
      `${atMoment(offer.lastSyncedAt, now)}: ${whoChanged(shown ?? 0, written ?? wanted ?? 0)}`,
    evidence: { at, connectionId: connection.id, ...until === null ? {} : { until } },
    nextAction: readAgain(
      `Find out who else writes the stock there. The hub writes the offer again${
        until === null ? '; let it read it now' : ` after ${momentOf(until, now)}; let it read it then`
      }.`,
      offer.id
    )
  }
}

/** The hub has written over what it did not write, and nobody has read the offer since. */
export function changedBefore (facts: LinkedFacts): Finding | undefined {
  const { offer, connection, replaced, writtenJobId: jobId, checkedAt: now } = facts
  const { written, shown } = quantitiesOf(facts)
  if (replaced === null || jobId === null || shown !== null) return undefined
  const until = endOfLag(facts)
  const lag = until === null ? '' : `, which '${connection.name}' shows by ${momentOf(until, now)}`
  return {
    verdict: 'changed-there',
    clause: `'${connection.name}' showed ${replaced.shown}${atMoment(replaced.readAt, now)}, not the ` +
      `${replaced.written} that the hub had written: ${whoChanged(replaced.shown, replaced.written)}; the hub wrote ` +
      `${written}${atMoment(offer.lastSyncedAt, now)}${lag}`,
    evidence: {
      at: replaced.readAt,
      connectionId: connection.id,
      jobId,
      ...until === null ? {} : { until }
    },
    nextAction: readAgain(
      `Find out who else writes the stock there. ${until === null ? 'Let' : `After ${momentOf(until, now)}, let`} ` +
        'the hub read the offer.',
      offer.id
    )
  }
}

/** A job is about to write the last version, or none is. */
export function writeWaiting (facts: LinkedFacts): Finding | undefined {
  if (!isToWrite(facts) || notWritten(facts) !== undefined) return undefined
  const { connection, writeJob, checkedAt: now } = facts
  if (writeJob === null || hasSucceeded(writeJob)) return withoutJob(facts)
  const { until } = writeJob.waitsFor ?? {}
  return {
    verdict: 'write-waiting',
    clause: describeWait(writeJob, connection.name, now),
    evidence: { at: writeJob.createdAt, jobId: writeJob.id, ...until === undefined ? {} : { until } },
    nextAction: actionForWait(writeJob, facts)
  }
}

function withoutJob (facts: LinkedFacts): Finding {
  const { connection } = facts
  const { isUnmade } = quantitiesOf(facts)
  return {
    verdict: 'write-waiting',
    clause: isUnmade
      ? 'the ledger has no job any more that creates the offer'
      : `no job is about to write it; the next comparison of '${connection.name}' makes one`,
    evidence: { at: null, connectionId: connection.id },
    nextAction: isUnmade
      ? createAgain(connection.id)
      : { sentence: 'Compare the offers now.', ...reconcileStock(connection.id) }
  }
}

function describeWait (job: JobFacts, marketplace: string, now: string): string {
  const { reason, until, detail } = job.waitsFor ?? {}
  if (reason === 'rate-limit') {
    return `the write waits for '${marketplace}', which asked for rest${untilMoment(until, now)} (job ${job.id})`
  }
  if (reason === 'unavailable') {
    return `the write waits for '${marketplace}', which is away (${detail})${untilMoment(until, now)} (job ${job.id})`
  }
  if (reason === 'budget') {
    return `the write waits for its place in the budget of '${marketplace}'${untilMoment(until, now)} (job ${job.id})`
  }
  if (reason === 'circuit-breaker') {
    return `the write waits for '${marketplace}', which failed; the hub tries again${atMoment(until ?? null, now)} ` +
      `(job ${job.id})`
  }
  if (reason === 'retry') {
    return `the write failed (${detail}) and is tried again${atMoment(until ?? null, now)} (job ${job.id})`
  }
  return `the write has not ended: ${describeWaiting(job, now)}`
}

/** Waiting ends by itself unless a person stopped a connection, be it that of the shop. */
function actionForWait (job: JobFacts, { connection, shop }: LinkedFacts): NextAction {
  const { connectionId, waitsFor } = job
  const subject = connectionId ?? ''
  const { pause = null } = [connection, shop.connection].find(other => other?.id === connectionId) ?? {}
  switch (waitsFor?.reason) {
    case 'connection-paused':
      return { sentence: 'Resume the connection.', ...resumeConnection(subject) }
    case 'capability-paused':
      return {
        sentence: 'Resume the capability, or wait for the end of the pause.',
        ...resumeCapability(subject, pause?.capability ?? undefined)
      }
    case 'connection-held':
      return { sentence: 'Find out what holds the connection.', ...diagnoseConnection(subject) }
    case 'connection-disabled':
      return { sentence: 'Enable the connection.', ...enableConnection(subject) }
    case 'connection-error':
      return {
        sentence: 'Test the connection: the job goes on when the test succeeds.',
        ...testConnection(subject)
      }
    case 'adapter':
      return { sentence: 'Find out why the adapter is not loaded.', ...showAdapters }
    default:
      return actionWhileWaiting(job)
  }
}

/** The write is done, but no reading shows what became of it. */
export function notReadSince (facts: LinkedFacts): Finding | undefined {
  const { offer, connection, checkedAt: now } = facts
  const { written, shown, isUnmade, isCurrent } = quantitiesOf(facts)
  if (shown !== null || isUnmade || (written === null && !isCurrent)) return undefined
  const lagUntil = endOfLag(facts)
  const evidence = { at: offer.lastSyncedAt, connectionId: connection.id }
  const verdict: Verdict = lagUntil === null ? 'shown-not-read' : 'within-lag'
  const wrote = `the hub wrote ${written ?? 'it'}${atMoment(offer.lastSyncedAt, now)}`
  const read = readWithinLag(facts)
  if (lagUntil === null) {
    return {
      verdict,
      clause: read === undefined
        ? `${wrote}, and '${connection.name}' was not read since`
        : `${wrote}, and since then '${connection.name}' was read only within its lag (${read})`,
      evidence,
      nextAction: readAgain('Let the hub read the offer.', offer.id)
    }
  }
  return {
    verdict,
    clause: `${wrote}, and '${connection.name}' may still show the old quantity until ${momentOf(lagUntil, now)}` +
      (read === undefined ? '' : ` (${read})`),
    evidence: { ...evidence, until: lagUntil },
    nextAction: readAgain(`Wait until ${momentOf(lagUntil, now)}. Then let the hub read the offer.`, offer.id)
  }
}

/** The marketplace shows what it should show. */
export function inStep (facts: LinkedFacts): Finding | undefined {
  const { offer, connection, checkedAt: now } = facts
  const { wanted, shown, isCurrent } = quantitiesOf(facts)
  if (!isCurrent || wanted === null || shown !== wanted) return undefined
  return {
    verdict: 'in-step',
    clause: `'${connection.name}' showed the wanted quantity${atMoment(offer.upstreamReadAt, now)}`,
    evidence: { at: offer.upstreamReadAt, connectionId: connection.id },
    nextAction: { sentence: 'There is nothing to do.', ...noWay }
  }
}

function isToWrite (facts: LinkedFacts): boolean {
  const { isCurrent, isUnmade } = quantitiesOf(facts)
  return isUnmade || (facts.stock !== null && !isCurrent)
}

function hasSucceeded ({ status }: JobFacts): boolean {
  return status === 'succeeded'
}
