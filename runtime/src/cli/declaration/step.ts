/** A change of one member. A new member of a config has neither value: it may be a secret. */
export interface MemberChange {
  pointer: string
  from?: unknown
  to?: unknown
}

/** One change that `linker apply` makes, as one request to the hub. */
export interface Step {
  object: 'connection' | 'schedule' | 'routing rules' | 'offer'
  name: string
  action: 'create' | 'change'
  changes: MemberChange[]
  request: { method: 'POST' | 'PATCH' | 'PUT', path: string, body: unknown }
}

/** An object that cannot be applied yet, and why. */
export interface Skipped {
  object: Step['object']
  name: string
  reason: string
  /** It waits only for its connection, which the same run creates. */
  isUntilCreated: boolean
}
