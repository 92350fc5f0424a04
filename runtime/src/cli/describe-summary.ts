import { escapeUnprintable } from '@linker/sdk/host/text'
import type { ReplayOutcome, ReplaySummary } from '../webhooks/deliveries/schemas.ts'
import { countOf } from '../words.ts'

/** Says in lines what a replay of many deliveries did, or would do. */
export function describeSummary (summary: ReplaySummary, includeReplayed: boolean): string[] {
  const { dryRun, jobs, ignored, refused } = summary
  return [
    describeMatched(summary),
    dryRun ? `${jobs} would be replayed` : `${countOf(jobs, 'was', 'were')} replayed`,
    ...describeReplayed(summary, includeReplayed),
    ...ignored.map(({ reason, count }) => `${countOf(count, 'stays', 'stay')} ignored: ${reason}`),
    ...refused.map(({ code, detail, count }) => `${count} refused: ${code}: ${detail}`)
  ].map(escapeUnprintable)
}

/** Says that the table of a dry run does not have all deliveries. */
export function describeSample ({ sample, matched, isMore }: ReplaySummary): string[] {
  if (matched <= sample.length) return []
  return [`the newest ${sample.length} of ${isMore ? 'at least ' : ''}${matched} that match:`]
}

/** Goes on after `would be`. */
export function describeOutcome (outcome: ReplayOutcome | undefined): string {
  return outcome === 'already replayed' ? 'left out' : outcome ?? ''
}

function describeMatched ({ matched, isMore }: ReplaySummary): string {
  const matching = countOf(matched, 'delivery matches', 'deliveries match')
  return isMore ? `at least ${matching}; one replay does not take all of them` : matching
}

/** An earlier replay of them succeeded, or has not ended. */
function describeReplayed ({ alreadyReplayed }: ReplaySummary, areIncluded: boolean): string[] {
  if (alreadyReplayed === 0) return []
  return [
    areIncluded
      ? `${alreadyReplayed} of them had been replayed already`
      : `${alreadyReplayed} left out, because they had been replayed already; --include-replayed takes them too`
  ]
}
