import { requiredMethods } from '../../capabilities/capabilities.ts'
import { describeTarget, type CallTarget } from '../../host/carrier.ts'
import type { AdapterDescription } from '../../host/describe.ts'
import { compileSchema, type SchemaProblem } from '../../host/json-schema.ts'
import { escapePointer } from '../../host/pointer.ts'
import {
  accountRead,
  answerOf,
  connectionTest,
  foreignMethod,
  jobMethod,
  methodNamed,
  webhookInstall,
  type Method
} from './methods.ts'
import { sampleOf } from './samples.ts'
import { settingsFile, type ConformanceSettings } from './settings.ts'

/** One call of the suite on an adapter, with its arguments. */
export interface Target extends Method {
  /** `OfferManager.updateOffer`, `feedshop.stock.refresh`, `test`. */
  name: string
  call: CallTarget
}

export interface Targets {
  /** Every possible call on the adapter for which there are arguments. */
  targets: Target[]
  /** The calls that are not possible, with the reason. */
  unknown: { name: string, message: string }[]
  /** Names in `arguments` that are not calls of this adapter, or are calls without arguments. */
  misnamed: string[]
  /** The targets of the fixtures, in their order; undefined for one that names no such call. */
  fixtures: (Target | undefined)[]
}

export function targetsOf (description: AdapterDescription, settings: ConformanceSettings): Targets {
  const given = new Map(Object.entries(settings.arguments ?? {}))
  const recorded = (settings.fixtures ?? []).map(({ call }) => call)
  const calls: CallTarget[] = [
    ...(description.hasTest ? [{ kind: 'test' as const }] : []),
    ...(description.hasAccount ? [{ kind: 'account' as const }] : []),
    ...(description.webhooks?.canInstall === true ? [{ kind: 'installWebhooks' as const }] : []),
    ...Object.entries(description.capabilities).flatMap(([capability, names]) =>
      methodNames(capability, names, [...given.keys(), ...recorded]).map(method => ({
        kind: 'capability' as const,
        capability,
        method
      }))
    ),
    ...Object.keys(description.jobs).map(jobType => ({ kind: 'job' as const, jobType }))
  ]
  const known = calls.map(call => ({
    call,
    name: describeTarget(call),
    method: methodOf(call, description, given.get(describeTarget(call)))
  }))
  return {
    targets: known.flatMap(({ call, name, method }) =>
      method === undefined ? [] : [{ ...method, call, name, args: argsOf(call, method.args) }]
    ),
    unknown: known.filter(({ method }) => method === undefined).map(({ call, name }) => ({
      name,
      message: whyUnknown(call, description, given.get(name))
    })),
    misnamed: [...given.keys()].filter(name =>
      !calls.some(call => takesArguments(call) && describeTarget(call) === name)
    ),
    fixtures: (settings.fixtures ?? []).map(fixture => {
      const call = calls.find(known => describeTarget(known) === fixture.call)
      return call === undefined
        ? undefined
        : fixtureTarget(call, description, fixture.arguments ?? given.get(fixture.call))
    })
  }
}

function fixtureTarget (
  call: CallTarget,
  description: AdapterDescription,
  given: readonly unknown[] | undefined
): Target | undefined {
  const method = methodOf(call, description, given)
  return method === undefined
    ? undefined
    : { ...method, call, name: describeTarget(call), args: argsOf(call, method.args) }
}

// The methods of a capability whose factory needs a real client are unknown: call the required
// ones, and those with arguments.
function methodNames (
  capability: string,
  names: readonly string[] | null,
  given: readonly string[]
): readonly string[] {
  if (names !== null) return names
  const required = new Map<string, readonly string[]>(Object.entries(requiredMethods)).get(capability) ?? []
  const prefix = `${capability}.`
  return [
    ...new Set([...required, ...given.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length))])
  ]
}

function takesArguments ({ kind }: CallTarget): boolean {
  return kind === 'capability' || kind === 'job'
}

function whyUnknown (call: CallTarget, { jobs }: AdapterDescription, given: readonly unknown[] | undefined): string {
  const name = describeTarget(call)
  const [problem] = given === undefined || call.kind !== 'job' ? [] : payloadProblems(jobs[call.jobType], given[0])
  return problem === undefined
    ? `the suite has no arguments for it: give them in ${settingsFile}, "arguments": { "${name}": [ … ] }`
    : `${settingsFile}/arguments/${escapePointer(name)}/0${problem.pointer} ${problem.message}`
}

function methodOf (
  call: CallTarget,
  description: AdapterDescription,
  given: readonly unknown[] | undefined
): Method | undefined {
  if (call.kind === 'test') return connectionTest
  if (call.kind === 'account') return accountRead
  if (call.kind === 'installWebhooks') return webhookInstall
  if (call.kind === 'job') return jobMethodOf(description.jobs[call.jobType], given)
  if (call.kind !== 'capability') return undefined
  const method = methodNamed(call.capability, call.method)
  if (method !== undefined) return given === undefined ? method : { ...method, args: given }
  return given === undefined ? undefined : foreignMethod(given, answerOf(call))
}

function jobMethodOf (schema: object | undefined, given: readonly unknown[] | undefined): Method | undefined {
  const payload = given === undefined ? sampleOf(schema ?? {}) : given[0]
  return payloadProblems(schema, payload).length === 0 ? jobMethod(payload) : undefined
}

function payloadProblems (schema: object = {}, payload: unknown): SchemaProblem[] {
  try {
    return compileSchema(schema)(payload).problems
  } catch {
    return [{ pointer: '', code: 'schema', message: 'has a schema that does not compile' }]
  }
}

function argsOf (call: CallTarget, args: readonly unknown[]): readonly unknown[] {
  return call.kind === 'job' ? [{ id: 'conformance', type: call.jobType, payload: args[0] }] : args
}
