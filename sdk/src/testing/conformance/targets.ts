import { requiredMethods } from '../../capabilities/capabilities.ts'
import { describeTarget, type CallTarget } from '../../host/carrier.ts'
import type { AdapterDescription } from '../../host/describe.ts'
import { compileSchema } from '../../host/json-schema.ts'
import { answerOf, connectionTest, foreignMethod, jobMethod, methodNamed, webhookInstall, type Method } from './methods.ts'
import { sampleOf } from './samples.ts'
import type { ConformanceSettings } from './settings.ts'

/** One thing that the suite calls on an adapter, with its arguments. */
export interface Target extends Method {
  /** `OfferManager.updateStock`, `feedshop.stock.refresh`, `test`. */
  name: string
  call: CallTarget
}

/** Everything that can be called on an adapter and for which there are arguments; `unknown` names the rest. */
export function targetsOf (description: AdapterDescription, settings: ConformanceSettings): { targets: Target[], unknown: string[] } {
  const given = new Map(Object.entries(settings.arguments ?? {}))
  const calls: CallTarget[] = [
    ...(description.hasTest ? [{ kind: 'test' as const }] : []),
    ...(description.webhooks?.canInstall === true ? [{ kind: 'installWebhooks' as const }] : []),
    ...Object.entries(description.capabilities).flatMap(([capability, names]) => methodNames(capability, names).map(method => ({ kind: 'capability' as const, capability, method }))),
    ...Object.keys(description.jobs).map(jobType => ({ kind: 'job' as const, jobType }))
  ]
  const known = calls.map(call => ({ call, name: describeTarget(call), method: methodOf(call, description, given.get(describeTarget(call))) }))
  return {
    targets: known.flatMap(({ call, name, method }) => method === undefined ? [] : [{ ...method, call, name, args: argsOf(call, method.args) }]),
    unknown: known.filter(({ method }) => method === undefined).map(({ name }) => name)
  }
}

// A capability whose factory needs a real client does not tell its methods.
function methodNames (capability: string, names: readonly string[] | null): readonly string[] {
  return names ?? new Map<string, readonly string[]>(Object.entries(requiredMethods)).get(capability) ?? []
}

function methodOf (call: CallTarget, description: AdapterDescription, given: readonly unknown[] | undefined): Method | undefined {
  if (call.kind === 'test') return connectionTest
  if (call.kind === 'installWebhooks') return webhookInstall
  if (call.kind === 'job') return jobMethodOf(description.jobs[call.jobType], given)
  if (call.kind !== 'capability') return undefined
  const method = methodNamed(call.capability, call.method)
  if (method !== undefined) return given === undefined ? method : { ...method, args: given }
  return given === undefined ? undefined : foreignMethod(given, answerOf(call))
}

function jobMethodOf (schema: object | undefined, given: readonly unknown[] | undefined): Method | undefined {
  const payload = given === undefined ? sampleOf(schema ?? {}) : given[0]
  try {
    return compileSchema(schema ?? {})(payload).problems.length === 0 ? jobMethod(payload) : undefined
  } catch {
    return undefined
  }
}

function argsOf (call: CallTarget, args: readonly unknown[]): readonly unknown[] {
  return call.kind === 'job' ? [{ id: 'conformance', type: call.jobType, payload: args[0] }] : args
}
