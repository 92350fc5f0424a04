interface Plan {
  obstacles: readonly { code: string }[]
}

/** The obstacle that the person may overrule. */
const overruled = 'open-orders'

/** Why a connection cannot be deleted now. Undefined: it can. */
export function blocksDeletion (
  plan: Plan | undefined,
  { isForced, typed, name }: { isForced: boolean, typed: string, name: string }
): string | undefined {
  if (plan === undefined) return undefined
  const left = plan.obstacles.filter(({ code }) => !(isForced && code === overruled))
  if (left.length > 0) return 'Something stands in the way.'
  return typed.trim() === name.trim() ? undefined : 'Type the name to go on.'
}
