import type { Check } from './check.ts'
import { answersIn, lacking, requestsIn, type Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import { describeError, outcomesOf, shortened, type Observed } from './observed.ts'
import { accountExperiments } from './plan.ts'
import { settingsFile } from './settings.ts'
import type { Subject } from './subject.ts'

const { first, again, otherKey, other } = accountExperiments
const none = 'it has no account: see L1-SHP-13'

/** They ask a platform that answers as linker.conformance.json says. Each call is a dry run. */
export const accountChecks: readonly Check[] = [
  {
    id: 'L2-ACC-01',
    level: 2,
    needs: 'outcomes',
    experiments: [first],
    evidence: requestsIn(first, { none }),
    title: 'account only reads',
    prevents: 'the hub wrote to the platform each time that it asked which account a connection opens',
    async run (subject) {
      const { report } = await subject.run()
      const unsent = report?.results.filter(({ name }) => name === first).flatMap(result => result.unsent) ?? []
      return [...new Set(unsent)].map(request => ({ target: 'account', message: `it sends ${request}` }))
    }
  },
  {
    id: 'L2-ACC-02',
    level: 2,
    needs: 'outcomes',
    experiments: [first, again, other],
    evidence: subject => seeAnswer(subject, again),
    title: `account answers the same id in every call, and another one for another account of ${settingsFile}`,
    prevents:
      'every order was new to the hub and was made in the shop once more, or an order was taken for another one',
    run: subject => compareAccounts(subject)
  },
  {
    id: 'L2-ACC-03',
    level: 2,
    needs: 'secrets',
    experiments: [first, otherKey],
    evidence: subject => seeAnswer(subject, otherKey),
    title: 'account answers the same id for another key of the same account',
    prevents: 'a renewed key made the connection one to another account, and all its orders new ones',
    async run (subject) {
      const asked = await Promise.all([first, otherKey].map(name => accountIn(subject, name)))
      const [usual, changed] = asked.map(idOf)
      if (usual === undefined || changed === undefined || usual === changed) return []
      return [{
        target: 'account',
        message: `it answered the id ${shortened(usual)}, and ${shortened(changed)} with another key`
      }]
    }
  }
]

async function accountIn (subject: Subject, experiment: string): Promise<Observed | undefined> {
  return (await outcomesOf(subject, experiment))[0]
}

function idOf (observed: Observed | undefined): unknown {
  return (Object(observed?.outcome.value) as { id?: unknown }).id
}

/** Demands that the settings tell how the platform answers, and that the adapter answered an id. */
async function seeAnswer (subject: Subject, experiment: string): Promise<Evidence> {
  const { targets } = await subject.targets()
  if (!targets.some(({ call }) => call.kind === 'account')) return lacking(none)
  if (subject.settings.settings.accounts === undefined) return lacking(`${settingsFile} has no accounts`)
  return answersIn(experiment, 'its credentials have no secret that the suite could change')(subject)
}

async function compareAccounts (subject: Subject): Promise<Finding[]> {
  if (subject.settings.settings.accounts === undefined) return []
  const asked = await Promise.all([first, again, other].map(name => accountIn(subject, name)))
  const [usual, repeated, another] = asked.map(idOf)
  const messages = [
    ...new Set(asked.flatMap((observed, index) => failureOf(observed, index === 2 ? 1 : 0))),
    ...repeated === usual ? [] : [`it answered the id ${shortened(usual)}, and ${shortened(repeated)} in another call`],
    ...another === undefined || another !== usual
      ? []
      : [`it answered the id ${shortened(usual)} for both accounts of ${settingsFile}`]
  ]
  return messages.map(message => ({ target: 'account', message }))
}

function failureOf (observed: Observed | undefined, place: number): string[] {
  const error = observed?.outcome.error
  return error === undefined ? [] : [`with ${settingsFile}/accounts/${place} it ended with ${describeError(error)}`]
}
