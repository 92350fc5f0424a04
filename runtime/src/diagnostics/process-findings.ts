import type { Facts } from './facts.ts'
import type { Finding } from './schemas.ts'

/** Finds what stops all connections of the hub. */
export function findProcessProblems ({ workerAbsence }: Facts): Finding[] {
  if (workerAbsence === null) return []
  const { since } = workerAbsence
  return [{
    code: 'no-worker',
    severity: 'blocking',
    direction: 'both',
    title: 'No process runs jobs',
    detail: `No process of this hub with the role worker or all ${
      since === null ? 'is alive' : `has been alive since ${since}`
    }, so accepted webhooks and the jobs of all connections wait.`,
    ...(since === null ? {} : { since, evidence: { at: since } }),
    nextAction: 'Look at the log of the worker, or start one: `linker start --role worker`; `linker system` lists ' +
      'the processes that are alive.'
  }]
}
