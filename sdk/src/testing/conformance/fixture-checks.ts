import { Value } from '@sinclair/typebox/value'
import { isDeepStrictEqual } from 'node:util'
import { AdapterErrorCode } from '../../errors.ts'
import { UpdatedOrder } from '../../schemas/order.ts'
import type { Check } from './check.ts'
import type { Finding } from './finding.ts'
import type { Fault, FaultRun } from './fixtures/fault.ts'
import { mostRepeatedPages } from './fixtures/page-faults.ts'
import { runsWith, type FixtureRuns } from './fixtures/run-fixtures.ts'
import { isUnsafeWrite } from './fixtures/write-faults.ts'
import { misfitOf } from './methods.ts'
import { describeError, shortened } from './observed.ts'
import { orderFaults } from './order-faults.ts'
import { pageOf } from './page.ts'
import type { Outcome, ReplayedRequest } from './protocol.ts'

const codes: readonly string[] = Object.values(AdapterErrorCode)
const updating = 'OrderProcessorManager.updateOrder'

export const fixtureChecks: readonly Check[] = [
  {
    id: 'L3-FIX-01',
    level: 3,
    needs: 'fixtures',
    title: 'each recorded call ends well with the recorded answers, and sends the recorded requests',
    prevents: 'an adapter that reacted well to every failure could not read the answers of a platform that works',
    run: async ({ fixtures }) => findUnlike(await fixtures())
  },
  {
    id: 'L3-PAG-01',
    level: 3,
    needs: 'fixtures',
    fault: 'resumed',
    title: 'a listing meets each item once',
    prevents: 'some products were listed twice and others never, so offers were made twice or not at all',
    run: async ({ fixtures }) => findRepeated(await fixtures())
  },
  {
    id: 'L3-PAG-02',
    level: 3,
    needs: 'fixtures',
    fault: 'resumed',
    title: 'a listing goes on from its cursor with a client that knows nothing of the pages before',
    prevents: 'after a restart of the hub a listing went on at the wrong place, or failed until it began anew',
    run: async ({ fixtures }) => judge(await fixtures(), 'resumed', judgeResumed)
  },
  {
    id: 'L3-PAG-03',
    level: 3,
    needs: 'fixtures',
    fault: 'repeated page',
    title: 'a listing ends when the platform answers the same page again and again',
    prevents: 'a platform that ignored the position kept the hub reading its first page for ever',
    run: async ({ fixtures }) => judge(await fixtures(), 'repeated page', judgeRepeated)
  },
  {
    id: 'L3-PAG-04',
    level: 3,
    needs: 'fixtures',
    fault: 'empty page',
    title: 'an empty page in the middle ends the listing or is passed, as the platform says',
    prevents: 'one page without items ended each listing with a TypeError, or hid all items behind it',
    run: async ({ fixtures }) => judge(await fixtures(), 'empty page', judgeEmpty)
  },
  {
    id: 'L3-PAG-05',
    level: 3,
    needs: 'fixtures',
    fault: 'refused cursor',
    title: 'a cursor that the platform refuses is an error of the SDK',
    prevents: 'a listing ended at a cursor that had expired, and the hub took the rest for deleted',
    run: async ({ fixtures }) => judge(await fixtures(), 'refused cursor', judgeRefused)
  },
  {
    id: 'L3-WRT-01',
    level: 3,
    needs: 'fixtures',
    second: true,
    title: 'a second run of the same write has no second effect, and ends the same',
    prevents: 'a job that the hub repeated after a crash made a second order, with a second parcel',
    run: async ({ fixtures }) => findDoubled(await fixtures())
  },
  {
    id: 'L3-WRT-02',
    level: 3,
    needs: 'fixtures',
    fault: 'lost answer',
    title: 'a write whose answer was lost is looked up, and not sent again',
    prevents: 'a connection that broke after the platform had stored an order made a second one',
    run: async ({ fixtures }) => judge(await fixtures(), 'lost answer', judgeLost)
  },
  {
    id: 'L3-WRT-03',
    level: 3,
    needs: 'fixtures',
    whileOpen: true,
    title: 'a later write to an object waits while the platform works on an earlier one, and wins',
    prevents: 'the platform carried out two quantities of an offer in its own order, and sold eight pieces of the two',
    run: async ({ fixtures }) => findOvertaking(await fixtures())
  },
  {
    id: 'L3-WRT-04',
    level: 3,
    needs: 'fixtures',
    repeated: updating,
    title: 'updateOrder names as not applied only changes that it was given, sends no write when it names them all, ' +
      'and answers a repeat the same',
    prevents: 'a parcel went to the old address of its buyer, because the hub believed that the shop had the new one',
    run: async ({ fixtures }) => findWrongUpdates(await fixtures())
  },
  {
    id: 'L3-EVT-01',
    level: 3,
    needs: 'fixtures',
    fault: 'read again',
    title: 'an event that is read again has the same id',
    prevents: 'each reading of the same event made another job, and old orders were imported again and again',
    run: async ({ fixtures }) => judge(await fixtures(), 'read again', judgeReadAgain)
  }
]

/** Why a check with this precondition says nothing about an adapter; undefined when it does. */
export function lackOfRuns (
  { healthy, faults, failure }: FixtureRuns,
  { fault, second, whileOpen, repeated }: Pick<Check, 'fault' | 'second' | 'whileOpen' | 'repeated'>
): string | undefined {
  if (failure !== undefined) {
    const { target, message } = failure
    return `its thread ended during the recorded calls: ${target === undefined ? '' : `${target}: `}${message}`
  }
  if (second === true && !healthy.some(tried => !tried.target.isRead && tried.healthy.again !== undefined)) {
    return 'no fixture is a write with "runs": 2'
  }
  if (whileOpen === true && !healthy.some(tried => tried.healthy.whileOpen !== undefined)) {
    return 'no fixture has "whileOpen"'
  }
  if (repeated !== undefined && !healthy.some(({ target, healthy: { again } }) => target.name === repeated && again)) {
    return `no fixture of ${repeated} has "runs": 2`
  }
  return fault === undefined || faults.some(run => run.fault.kind === fault) ? undefined : lacks[fault]
}

const lacks: Readonly<Record<Fault['kind'], string>> = {
  'resumed': 'no fixture is a listing with a second page',
  'repeated page': 'no fixture is a listing whose second page is one request',
  'empty page': 'no fixture is a listing whose second page is a list in JSON',
  'refused cursor': 'no fixture is a listing whose second page is one request',
  'lost answer': 'no fixture with "runs": 2 is a write that must not be sent twice',
  'read again': 'no fixture reads events'
}

function findUnlike ({ healthy }: FixtureRuns): Finding[] {
  return healthy.flatMap(({ fixture, target, healthy: { pages, again, whileOpen, unasked, unrecorded } }) => {
    const outcomes = [...pages, again, whileOpen?.after].filter(outcome => outcome !== undefined)
    const failed = outcomes.flatMap(({ error }) =>
      error === undefined ? [] : [`it failed with ${describeError(error)}`]
    )
    const misfits = outcomes.flatMap(({ error, value }) => {
      const misfit = error === undefined ? misfitOf(target.answer, value) : undefined
      if (misfit === undefined) return orderFaults(target.call, value)
      return [`it answered ${shortened(value)}, which does not fit: ${misfit}`]
    })
    const others = unrecorded.length > 0 || failed.length > 0
      ? unrecorded
      : unasked.map(request => `it does not send ${request}, which is recorded: record the call again`)
    return [...failed, ...misfits, ...others].map(message => ({
      target: target.name,
      message: `${fixture.recording}: ${message}`
    }))
  })
}

function findRepeated ({ healthy }: FixtureRuns): Finding[] {
  return healthy.flatMap(({ target, healthy: { pages } }) => {
    if (pages.length < 2) return []
    const ids = pages.flatMap(({ value }) => pageOf(value)?.items ?? []).flatMap(idOf)
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
    return repeated === undefined ? [] : [{ target: target.name, message: `it lists ${repeated} twice` }]
  })
}

/** A journal may repeat its events, so they have no id here. */
function idOf (item: unknown): string[] {
  const { externalId, productExternalId, variantExternalId } = Object(item) as Record<string, unknown>
  if (typeof externalId === 'string') return [externalId]
  return typeof productExternalId === 'string' ? [`${productExternalId}/${String(variantExternalId)}`] : []
}

function judge (
  runs: FixtureRuns,
  kind: Fault['kind'],
  look: (run: FaultRun) => string | undefined
): Finding[] {
  return runsWith(runs, kind).flatMap(run => {
    const message = look(run) ?? findStrange(run.outcomes)
    return message === undefined ? [] : [{ target: run.target.name, message }]
  })
}

/** Reports an error that is none of the SDK's, whatever the platform did. */
function findStrange (outcomes: readonly Outcome[]): string | undefined {
  const strange = outcomes.find(({ error, wasStopped }) =>
    wasStopped || (error !== undefined && !codes.includes(error.code ?? ''))
  )
  if (strange === undefined) return undefined
  return strange.error === undefined || strange.wasStopped ? 'it does not end' : `it ${endOf(strange)}`
}

function judgeResumed ({ outcomes: [resumed], healthy: { pages } }: FaultRun): string | undefined {
  const [, second] = pages
  if (resumed?.error !== undefined) {
    return `from the cursor of its first page it fails with ${describeError(resumed.error)}`
  }
  return isDeepStrictEqual(resumed?.value, second?.value)
    ? undefined
    : `from the cursor of its first page it answers ${shortened(resumed?.value)}, not ${shortened(second?.value)}`
}

function judgeRepeated ({ outcomes, healthy: { pages } }: FaultRun): string | undefined {
  const cursors = outcomes.flatMap(({ value }) => pageOf(value)?.nextCursor ?? [])
  // The hub ends a listing that comes back to a cursor.
  const ends = cursors.length < outcomes.length || new Set(cursors).size < cursors.length
  return ends || outcomes.length < pages.length + mostRepeatedPages
    ? undefined
    : `after ${outcomes.length} pages, all the same, it still asks for another one`
}

const shortestPosition = 8

function judgeEmpty ({ outcomes: [outcome], healthy: { pages }, fault }: FaultRun): string | undefined {
  if (outcome === undefined || outcome.error !== undefined) return undefined
  const { nextCursor } = pageOf(outcome.value) ?? {}
  const [first] = pages
  if (nextCursor !== undefined && nextCursor === pageOf(first?.value)?.nextCursor) {
    return 'it answers an empty page with the cursor that it was called with'
  }
  const expected = pageOf(pages[1]?.value)?.nextCursor
  const { body, headers } = fault.recording.exchanges[fault.position ?? -1]?.answer ?? {}
  const isNamed = expected !== undefined && expected.length >= shortestPosition &&
    JSON.stringify([body, headers]).includes(JSON.stringify(expected).slice(1, -1))
  return isNamed && nextCursor === undefined
    ? 'it ends at an empty page, although the platform still names the next one'
    : undefined
}

function judgeRefused ({ outcomes: [outcome] }: FaultRun): string | undefined {
  // A journal may begin anew, if it says so.
  const { isIncomplete } = Object(outcome?.value) as { isIncomplete?: unknown }
  return outcome === undefined || outcome.error !== undefined || isIncomplete === true
    ? undefined
    : `the platform refuses the cursor with 400, and it answers ${shortened(outcome.value)}`
}

function judgeReadAgain ({ outcomes, healthy: { pages } }: FaultRun): string | undefined {
  const [before, now] = [idsOfEvents(pages), idsOfEvents(outcomes)]
  const changed = before.findIndex((id, index) => id !== now[index])
  if (changed < 0 && before.length === now.length) return undefined
  return `the events have the ids ${shortened(before)}, and an hour later ${shortened(now)}`
}

function idsOfEvents (outcomes: readonly Outcome[]): unknown[] {
  return outcomes.flatMap(({ value }) => Array.isArray(value) ? value as unknown[] : pageOf(value)?.items ?? [])
    .map(event => (Object(event) as { eventId?: unknown }).eventId)
}

function findDoubled ({ healthy }: FixtureRuns): Finding[] {
  return healthy.flatMap(tried => {
    const { target, recording, healthy: { pages: [first], again, requests } } = tried
    if (target.isRead || again === undefined) return []
    const sent = requests.find(request => request.run === 1 && isUnsafeWrite(request, recording))
    const messages = [
      ...(sent === undefined
        ? []
        : [`its second run sends ${nameOf(sent)} again, and the platform accepts it: look up whether it was done`]),
      ...unlikeEnd(first, again)
    ]
    return messages.map(message => ({ target: target.name, message }))
  })
}

function findOvertaking ({ healthy }: FixtureRuns): Finding[] {
  return healthy.flatMap(({ target, healthy: { whileOpen, requests } }) => {
    if (whileOpen === undefined) return []
    const [early, late] = [1, 2].map(run => requests.find(request => request.run === run && isWrite(request)))
    const message = judgeOvertaking(whileOpen.during, early, late)
    return message === undefined ? [] : [{ target: target.name, message }]
  })
}

/** `early`, `late`: a request that writes while the earlier write is open, and after its end. */
function judgeOvertaking (
  during: Outcome | undefined,
  early: ReplayedRequest | undefined,
  late: ReplayedRequest | undefined
): string | undefined {
  if (early !== undefined) {
    return `it sends ${nameOf(early)} although the write before is open, which may then land last`
  }
  if (!saysUnderWay(during)) return `while the write before is open it ${endOf(during)}, and no WriteUnderWayError`
  return late === undefined ? 'it sends nothing when the write before has ended' : undefined
}

function findWrongUpdates ({ healthy }: FixtureRuns): Finding[] {
  return healthy.flatMap(({ target, healthy: { pages: [first], again, requests } }) => {
    if (target.name !== updating) return []
    const given = Object.keys(Object(target.args[1]) as object)
    const answers = [first, again].map(namesNotApplied)
    const [before, after] = answers
    const messages = answers.flatMap((names, run) => {
      if (names === undefined) return []
      const strange = names.find(name => !given.includes(name))
      const sent = requests.find(request => request.run === run && isWrite(request))
      return [
        ...strange === undefined ? [] : [`it answers that it did not apply ${strange}, which did not change`],
        ...sent === undefined || given.some(name => !names.includes(name))
          ? []
          : [`it sends ${nameOf(sent)} and answers that it applied none of the changes`]
      ]
    })
    const isRepeatedUnlike = before !== undefined && after !== undefined && !isDeepStrictEqual(before, after)
    return [
      ...messages,
      ...isRepeatedUnlike ? [`its first run does not apply ${listed(before)}, the second one ${listed(after)}`] : []
    ].map(message => ({ target: target.name, message }))
  })
}

function namesNotApplied ({ value }: Partial<Outcome> = {}): string[] | undefined {
  return Value.Check(UpdatedOrder, value) ? value.notApplied.map(({ what }) => what).toSorted() : undefined
}

function listed (names: readonly string[]): string {
  return names.join(', ') || 'nothing'
}

function isWrite ({ method }: ReplayedRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Whether the call failed because of the open write, or its only change did. */
function saysUnderWay ({ error, value }: Partial<Outcome> = {}): boolean {
  const [change] = Array.isArray(value) ? value as unknown[] : []
  const { code } = error ?? (Object(change) as { error?: { code?: unknown } }).error ?? {}
  return code === AdapterErrorCode.writeUnderWay
}

function endOf ({ error, value }: Partial<Outcome> = {}): string {
  return error === undefined ? `answers ${shortened(value)}` : `throws ${describeError(error)}`
}

function judgeLost ({ fault, recording, outcomes, requests, healthy }: FaultRun): string | undefined {
  const { position = 0, positions = [] } = fault
  const lost = recording.exchanges[position]?.request
  const sent = requests.filter(request => {
    const original = recording.exchanges[positions[request.position ?? -1] ?? -1]?.request
    return isDeepStrictEqual(original, lost)
  })
  if (sent.length > 1 && lost !== undefined) return `it sends ${nameOf(lost)} again, although its answer was only lost`
  const [end] = outcomes.filter(({ error }) => error === undefined)
  if (end === undefined) {
    const { error } = outcomes.at(-1) ?? {}
    return `after the answer to ${
      lost === undefined ? 'a request' : nameOf(lost)
    } was lost, it does not end well when ` +
      `it is called again: ${error === undefined ? 'nothing' : describeError(error)}`
  }
  return unlikeEnd(healthy.pages[0], end)[0]
}

/** Compares the objects that two runs of a write made. */
function unlikeEnd (first: Outcome | undefined, second: Outcome): string[] {
  const idOfMade = (outcome: Outcome | undefined): unknown =>
    (Object(outcome?.value) as { externalId?: unknown }).externalId
  const [before, after] = [idOfMade(first), idOfMade(second)]
  if (second.error !== undefined) return [`its second run fails with ${describeError(second.error)}`]
  return before === after ? [] : [`its first run answers ${String(before)}, the second one ${String(after)}`]
}

function nameOf ({ method, path }: Pick<ReplayedRequest, 'method' | 'path'>): string {
  return `${method} ${path}`
}
