import { inspect } from 'node:util'
import type { Check } from './check.ts'
import { anyAnswers, anyRequests, anyWork, type GatherEvidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import { startExperiment } from './plan.ts'
import type { Outcome, Result } from './protocol.ts'
import { personalData } from './samples.ts'
import type { Subject } from './subject.ts'
import type { Run } from './threads.ts'

// The suite's platform quotes every request in its refusals, so credentials come back to the
// adapter in many places.

export const secretChecks: readonly Check[] = [
  leakCheck(
    1,
    'no secret is in a log line',
    'a key that was written to the log in another form reached everybody who may read logs',
    ofResults(({ log }) => log),
    anyWork
  ),
  leakCheck(
    2,
    'no secret is in an error',
    "a key stood in the status of a connection, in the API's answer and in a ticket",
    ofOutcomes(({ errorText }) => errorText ?? ''),
    anyRequests
  ),
  leakCheck(
    3,
    'no secret is in an answer, a cursor, a job or a stored value',
    'a key was stored in the job ledger, from where it could not be removed',
    run => [
      ...ofOutcomes(({ value, effects }) => inspect({ value, effects }, everything))(run),
      ...ofResults(({ stored }) => stored)(run)
    ],
    anyAnswers
  ),
  leakCheck(
    4,
    'no secret is printed',
    "console.log went around the redaction of the hub's log",
    ({ printed }) => [{ text: printed }],
    anyWork
  ),
  leakCheck(
    5,
    'no secret is in the path of a request',
    "the path of a request stands in messages, traces and every proxy's log",
    ({ arrivals }) => [...arrivals.values()].flat().map(({ path }) => ({ text: path })),
    anyRequests
  ),
  {
    id: 'L2-SEC-06',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyRequests,
    title: 'no personal data of an order that was sent is in an error or a log line',
    prevents: 'a platform quoted the order that it refused, and the name of its buyer stood in logs, jobs and tickets',
    run: searchPersonalData
  }
]

// Show the whole value: a cut part may contain the secret.
const everything = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity }

interface Written {
  text: string
  target?: string | undefined
}

function leakCheck (
  number: number,
  title: string,
  prevents: string,
  written: (run: Run) => Written[],
  evidence: GatherEvidence
): Check {
  return {
    id: `L2-SEC-0${number}`,
    level: 2,
    needs: 'secrets',
    experiments: 'all',
    evidence,
    title,
    prevents,
    run: subject => searchSecrets(subject, written)
  }
}

function ofOutcomes (show: (outcome: Outcome) => string): (run: Run) => Written[] {
  // Skip the conversion of credentials: its arguments are the secret.
  return ({ report, plan }) =>
    (report?.results ?? []).filter(({ name }) => name !== startExperiment).flatMap(({ outcomes }) =>
      outcomes.map(outcome => ({ text: show(outcome), target: plan.targets.get(outcome.id)?.name }))
    )
}

function ofResults (show: (result: Result) => string[]): (run: Run) => Written[] {
  return ({ report }) => (report?.results ?? []).flatMap(show).map(text => ({ text }))
}

async function searchSecrets (subject: Subject, written: (run: Run) => Written[]): Promise<Finding[]> {
  const forms = (await subject.secrets()).flatMap(formsOf)
  const leaks = [...written(await subject.started()), ...written(await subject.run())].flatMap(({ text, target }) =>
    forms.filter(({ form }) => text.includes(form)).map(({ name }) => ({ target, message: `it has ${name} in it` }))
  )
  // Report each form of a secret once per call: the same message occurs for every way of answering.
  const distinct = new Map(leaks.map(({ target, message }): [string, Finding] => [
    `${target ?? ''} ${message}`,
    target === undefined ? { message } : { target, message }
  ]))
  return [...distinct.values()]
}

async function searchPersonalData (subject: Subject): Promise<Finding[]> {
  const run = await subject.run()
  const written = [
    ...ofOutcomes(({ errorText }) => errorText ?? '')(run),
    ...ofResults(({ log }) => log)(run)
  ]
  const found = written.flatMap(({ text, target }) =>
    personalData.filter(({ value }) => text.includes(value)).map(({ name }) => ({ target, name }))
  )
  const distinct = new Map(found.map(({ target, name }) => [`${target ?? ''} ${name}`, { target, name }]))
  return [...distinct.values()].map(({ target, name }) => ({
    ...target === undefined ? {} : { target },
    message: `it has ${name} of an order in it`
  }))
}

function formsOf (secret: string): { name: string, form: string }[] {
  const bytes = Buffer.from(secret)
  // Use whole groups of three bytes, which are four digits: text after the secret does not change
  // these.
  const whole = bytes.subarray(0, bytes.length - bytes.length % 3)
  return [
    { name: 'a secret', form: secret },
    { name: 'the beginning of a secret', form: secret.slice(0, 8) },
    { name: 'the end of a secret', form: secret.slice(-8) },
    { name: 'a secret, URL-encoded,', form: encodeURIComponent(secret) },
    { name: 'a secret in hexadecimal digits', form: bytes.toString('hex') },
    { name: 'a secret in base64', form: whole.toString('base64') },
    { name: 'a secret in base64url', form: whole.toString('base64url') }
  ].filter(({ form }) => form.length >= 8)
}
