import type { ObstacleOf } from '../operation/obstacles.ts'
import type { RedrivePlan, SkipReason } from './schemas.ts'
import type { DeadGroup } from './store.ts'

type Skipped = RedrivePlan['skipped']

/**
 * Says how many jobs would run again, and how many would not and why. `named`: jobs that the filter
 * names and that are not dead.
 */
export function sumPlan (
  groups: readonly DeadGroup[],
  named: Skipped,
  obstacleOf: ObstacleOf
): Pick<RedrivePlan, 'matched' | 'eligible' | 'skipped'> {
  const obstacles = new Map<SkipReason, number>()
  for (const group of groups) {
    const reason = obstacleOf(group)
    if (reason !== undefined) obstacles.set(reason, (obstacles.get(reason) ?? 0) + group.count)
  }
  const skipped = [...named, ...[...obstacles].map(([reason, count]) => ({ reason, count }))]
    .toSorted((a, b) => b.count - a.count)
  const matched = totalOf(groups) + totalOf(named)
  return { matched, eligible: matched - totalOf(skipped), skipped }
}

function totalOf (counted: readonly { count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0)
}
