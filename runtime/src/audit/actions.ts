/** The changes with names of their own. */
export const namedActions = [
  'connection.account',
  'connection.budget',
  'connection.change',
  'connection.create',
  'connection.delete',
  'connection.deny',
  'connection.disable',
  'connection.enable',
  'connection.fail',
  'connection.move',
  'connection.pause',
  'connection.recover',
  'connection.resume',
  'connection.take-over',
  'connection.upstream.reset',
  'credentials.replace',
  'credentials.rewrap',
  'cursor.reset',
  'cursor.set',
  'delivery.replay',
  'job.cancel',
  'job.redrive',
  'job.redrive.continue',
  'job.redrive.stop',
  'job.retry',
  'log-level.set',
  'offer.link',
  'order.forget',
  'order.retry',
  'routing-rules.replace',
  'schedule.change',
  'session.begin',
  'session.end',
  'token.create',
  'token.revoke',
  'webhook-secret.create',
  'webhooks.install'
] as const

/** The name of a change. A command without a name of its own has its method and route. */
export type AuditAction = (typeof namedActions)[number] | `${string} ${string}`

const mostSimilar = 8
/** Adapters bring these routes, and the hub cannot list those of versions that are gone. */
const adapterRoute = /^[A-Z]+ \/integrations\//

/** The action as entries have it: `/openapi.json` writes `{id}` where a route has `:id`. */
export function storedAction (action: string): string {
  return action.replaceAll(/\{(\w+)\}/g, ':$1')
}

/**
 * Says why no entry can have an action; undefined when one can. `commands` are the commands of the
 * hub, such as `POST /jobs`.
 */
export function findActionProblem (action: string, commands: Iterable<string>): string | undefined {
  const known = [...namedActions, ...commands]
  if (known.includes(action) || adapterRoute.test(action)) return undefined
  // A command that makes a named change has no entry of its own: propose commands only for a text
  // that looks like one.
  const counts = (/[ /]/.test(action) ? known : namedActions).map(name => ({ name, count: countShared(name, action) }))
  const most = Math.max(...counts.map(({ count }) => count))
  const similar = most === 0 ? [] : counts.filter(({ count }) => count === most).slice(0, mostSimilar)
    .map(({ name }) => name)
  return similar.length > 0
    ? `is not an action; similar ones are ${similar.join(', ')}`
    : `is not an action; the actions are ${
      namedActions.join(', ')
    }, and commands by method and route, such as POST /jobs`
}

/** How many words of a name a text has, or begins or continues. */
function countShared (name: string, text: string): number {
  const words = wordsOf(text)
  return wordsOf(name).filter(word => words.some(other => other.startsWith(word) || word.startsWith(other))).length
}

function wordsOf (text: string): string[] {
  return text.toLowerCase().match(/[a-z]{3,}/g) ?? []
}
