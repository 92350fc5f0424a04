interface Standing {
  status: string
  pauses: readonly { capability: string | null }[]
}

/** The word for the state of a connection: a pause of the whole hides that it is active. */
export function shownStatus ({ status, pauses }: Standing): string {
  if (status !== 'active') return status
  if (pauses.some(({ capability }) => capability === null)) return 'paused'
  return pauses.length > 0 ? 'partly paused' : status
}
