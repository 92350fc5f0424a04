import type { Check } from './check.ts'
import { abortsIn, requestsIn } from './evidence.ts'
import { longestAfterAbortMs } from './experimenter.ts'
import type { Finding } from './finding.ts'
import { outcomesOf } from './observed.ts'
import { scenarios } from './scenarios.ts'
import type { Subject } from './subject.ts'

const aborted = scenarios.filter(({ isAborted }) => isAborted === true).map(({ name }) => name)

export const abortChecks: readonly Check[] = [
  {
    id: 'L2-ABT-01',
    level: 2,
    needs: 'outcomes',
    experiments: aborted,
    evidence: abortsIn(aborted),
    title: 'an aborted call ends within a second',
    prevents: 'a job that the hub had given up went on in the background, beside its own repeat',
    async run (subject) {
      const observed = (await Promise.all(aborted.map(name => outcomesOf(subject, name)))).flat()
      const late =
        new Set(observed.filter(({ outcome }) => outcome.afterAbort?.isSettled === false).map(({ target }) =>
          target.name
        ))
      return [...late].map(target => ({ target, message: `it goes on ${longestAfterAbortMs} ms after it was aborted` }))
    }
  },
  {
    id: 'L2-ABT-02',
    level: 2,
    needs: 'outcomes',
    experiments: aborted,
    evidence: requestsIn('time-out'),
    title: 'an aborted call closes its connections',
    prevents: 'connections to a platform that had stopped answering piled up until there were none left',
    run: subject => findOpenConnections(subject)
  }
]

async function findOpenConnections (subject: Subject): Promise<Finding[]> {
  const { leftOpen, plan } = await subject.run()
  return leftOpen.map(({ callId, method, path }) => {
    const target = plan.targets.get(callId ?? '')?.name
    return { message: `the connection of ${method} ${path} stays open`, target }
  })
}
