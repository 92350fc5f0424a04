import type { Permissions } from '@linker/sdk'
import { permitsCapability, permitsJob } from '@linker/sdk/host'

/** The permissions that a manifest asks for, one line each, to follow "it may". */
export function describePermissions (permissions: Permissions | undefined): string[] {
  return grownPermissions({}, permissions)
}

/** The permissions of `after` that `before` did not have, in the same lines. */
export function grownPermissions (before: Permissions | undefined, after: Permissions | undefined): string[] {
  const { http = [], jobs = [], capabilities = [], routes = false, connections = false, schedules = false } = after ??
    {}
  return [
    ...http.filter(origin => before?.http?.includes(origin) !== true).map(origin => `send requests to ${origin}`),
    // A wider pattern covers a narrower one.
    ...jobs.filter(job => !permitsJob(before, job)).map(job => `run and enqueue the jobs ${job}`),
    ...capabilities.filter(name => !permitsCapability(before, name)).map(name => `call ${name} of other connections`),
    ...(schedules && before?.schedules !== true ? ['start jobs on a schedule'] : []),
    ...(routes && before?.routes !== true ? ['answer requests at routes of its own'] : []),
    ...(connections && before?.connections !== true ? ['read, create and renew connections of its platform'] : [])
  ]
}
