import { type Check } from './check.ts'
import { anyRequests, anyWork, requestsIn } from './evidence.ts'
import { findings } from './finding.ts'
import type { Finding } from './finding.ts'
import { describeError, outcomesOf } from './observed.ts'
import { withoutHttpExperiment } from './plan.ts'
import type { Subject } from './subject.ts'

export const permissionChecks: readonly Check[] = [
  {
    id: 'L2-PRM-01',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyRequests,
    title: 'every request goes through context.http',
    prevents:
      'a request bypassed time-outs, the address policy, redaction and the permissions that the operator confirmed',
    run: subject => findBypasses(subject)
  },
  {
    id: 'L2-PRM-02',
    level: 2,
    needs: 'outcomes',
    experiments: [withoutHttpExperiment, '404'],
    evidence: requestsIn('404'),
    title: 'without a permitted address, every call sends nothing and throws an error of the SDK',
    prevents: 'a missing permission looked like a shop without products',
    run: subject => findPretences(subject)
  },
  {
    id: 'L2-PRM-03',
    level: 2,
    needs: 'outcomes',
    experiments: ['404'],
    evidence: requestsIn('404'),
    title: 'the manifest permits every address that it asks for',
    prevents: 'an adapter that its author had tested without a hub could not send any request in one',
    run: subject => findRefused(subject, /the manifest does not permit (?!calls of)/)
  },
  {
    id: 'L2-PRM-04',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyWork,
    title: 'no call reads an environment variable',
    prevents:
      "two connections that differ in their config alone behaved the same, and an adapter saw the hub's own secrets",
    async run ({ started, run }) {
      const names = new Set([await started(), await run()].flatMap(({ report }) => report?.environment ?? []))
      return findings([...names].map(name => `a call reads ${name}`))
    }
  },
  {
    id: 'L2-PRM-05',
    level: 2,
    needs: 'outcomes',
    experiments: ['404'],
    evidence: requestsIn('404'),
    title: 'the manifest permits every capability of other connections that it calls',
    prevents: 'a job was refused the capability of another connection in every hub, and died at the first try',
    run: subject => findRefused(subject, /the manifest does not permit calls of/)
  }
]

/** The calls that asked for something that the manifest does not permit. */
async function findRefused (subject: Subject, refusal: RegExp): Promise<Finding[]> {
  const refused = (await outcomesOf(subject, '404')).filter(({ outcome }) => refusal.test(outcome.error?.message ?? ''))
  return refused.map(({ target, outcome }) => ({ target: target.name, message: outcome.error?.message ?? '' }))
}

async function findBypasses ({ started, run }: Subject): Promise<Finding[]> {
  const runs = [await started(), await run()]
  const foreign = new Set(runs.flatMap(({ report }) => report?.foreignConnections ?? []))
  const unsigned =
    new Set(runs.flatMap(({ arrivals }) => [...arrivals.values()].flat()).filter(({ callId }) => callId === undefined)
      .map(({ method, path }) => `${method} ${path}`))
  return findings([
    ...[...foreign].map(target => `it connects to ${target} by itself`),
    ...[...unsigned].map(request => `it sends ${request} by itself`)
  ])
}

async function findPretences (subject: Subject): Promise<Finding[]> {
  const usual =
    new Set((await outcomesOf(subject, '404')).filter(({ requests }) => requests.length > 0).map(({ target }) =>
      target.name
    ))
  return (await outcomesOf(subject, withoutHttpExperiment)).flatMap(({ target, outcome, requests }) => {
    if (requests.length > 0) {
      return [{ target: target.name, message: `it sent ${requests[0]?.method ?? ''} ${requests[0]?.path ?? ''}` }]
    }
    if (!usual.has(target.name)) return []
    if (outcome.error === undefined) return [{ target: target.name, message: 'it answered although it could not ask' }]
    if (outcome.error.code?.startsWith('LNK_ADAPTER_') === true) return []
    const end = `it ended with ${describeError(outcome.error)}`
    return [{ target: target.name, message: `${end}, which is not an error of the SDK` }]
  })
}
