import { escapeUnprintable } from '@linker/sdk/host/text'
import type { ReplaySummary } from '../webhooks/deliveries/schemas.ts'

/** Says in lines what a replay of many deliveries did, or would do. */
export function describeSummary (summary: ReplaySummary, includeReplayed: boolean): string[] {
  const { dryRun, jobs, ignored, refused } = summary
  return [
    describeMatched(summary),
    `${jobs} ${dryRun ? 'would be' : 'were'} replayed`,
    ...describeReplayed(summary, includeReplayed),
    ...ignored.map(({ reason, count }) => `${count} stay ignored: ${reason}`),
    ...refused.map(({ code, detail, count }) => `${count} refused: ${code}: ${detail}`)
  ].map(escapeUnprintable)
}

function describeMatched ({ matched, isMore }: ReplaySummary): string {
  return isMore
    ? `at least ${matched} deliveries match; one replay does not take all of them`
    : `${matched} deliveries match`
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
