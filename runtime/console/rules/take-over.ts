interface Standing {
  account: { takesOrders: boolean } | null
  ordersSince: string | null
}

/** Whether a deleted connection may have orders that this one lacks. */
export function canTakeOver ({ account, ordersSince }: Standing): boolean {
  return account?.takesOrders === true && ordersSince !== null
}

/** The things that a connection took over, in one sentence. */
export function describeTaken (name: string, taken: readonly { what: string, count: number }[]): string {
  const parts = taken.filter(({ count }) => count > 0).map(({ what, count }) => `${what} (${count})`)
  return parts.length === 0 ? 'There was nothing left to take over.' : `“${name}” took over ${parts.join(', ')}.`
}
