import { Type, type Static } from '@sinclair/typebox'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineAdapter, defineJob } from '../../adapter.ts'
import type { Context, KeyValueStore } from '../../context.ts'
import { AuthenticationError, RejectedError, TransientError } from '../../errors.ts'
import type { NewConnection, RouteHost } from '../../route.ts'
import type { ProbeCredentials, RouteStep, Step } from './steps.ts'

// An adapter that performs the steps in its job's payload. It is the default export, so that a
// thread can load it like any other adapter.

const Config = Type.Object({
  label: Type.Optional(Type.String()),
  calls: Type.Optional(Type.String({ connection: true })),
  pin: Type.Optional(Type.String({ secret: true }))
})

type ProbeContext = Context<Static<typeof Config>, ProbeCredentials>

/** The probe's own capability: performs steps on the called connection. */
interface ProbeSteps {
  run(steps: readonly Step[]): Promise<unknown[]>
}

const lookEveryMs = 5
const mostLooks = 4_000

const unstorable: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  function: () => () => undefined,
  cyclic () {
    const value: Record<string, unknown> = {}
    value.itself = value
    return value
  },
  bigint: () => 1n,
  nul: () => 'a\0b',
  halfPair: () => ({ text: '\ud800' })
}

async function runAll (steps: readonly Step[], context: ProbeContext): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const step of steps) answers.push(await run(step, context))
  return answers
}

async function run (step: Step, context: ProbeContext): Promise<unknown> {
  switch (step.do) {
    case 'get':
      return context.kv.get(step.key)
    case 'set':
      return context.kv.set(step.key, step.value, step.options)
    case 'setUnstorable':
      return context.kv.set('unstorable', unstorable[step.kind]?.())
    case 'setDate':
      return context.kv.set(step.key, { at: new Date(step.iso) })
    case 'delete':
      return context.kv.delete(step.key)
    case 'list':
      return context.kv.list(step.options)
    case 'readCursor':
      return context.cursor.get(step.name)
    case 'setCursor':
      return context.cursor.set(step.name, step.value)
    case 'listCursors':
      return context.cursor.list()
    case 'enqueue':
      return context.jobs.enqueue(step.jobType, step.payload, { key: step.key, delayMs: step.delayMs })
    case 'lock':
      return context.locks.run(step.name, () => runAll(step.steps, context))
    case 'token':
      return token(step, context)
    case 'call': {
      const { capability = 'probe/Steps', connectionId, steps } = step
      const called = context.capability<ProbeSteps>(capability, connectionId === undefined ? {} : { connectionId })
      const method: unknown = Reflect.get(called, step.method ?? 'run')
      return typeof method === 'function' ? method(steps) : undefined
    }
    case 'callMany': {
      for (let index = 0; index < step.count; index += 1) await context.capability<ProbeSteps>('probe/Steps').run([])
      return undefined
    }
    case 'count':
      return context.metrics.count(step.name, step.by)
    case 'observe':
      return context.metrics.observe(step.name, step.value)
    case 'log':
      return context.log[step.level](
        step.withFunction === true ? { ...step.fields, callback: () => undefined } : step.fields,
        step.message
      )
    default:
      return runOther(step, context)
  }
}

async function runOther (step: Step, context: ProbeContext): Promise<unknown> {
  switch (step.do) {
    case 'add': {
      const before = Number(await context.kv.get(step.key) ?? 0)
      await sleep(1)
      return context.kv.set(step.key, before + 1)
    }
    case 'waitFor':
      return waitFor(step.key, context)
    case 'isAborted':
      return context.kv.set(step.key, context.signal.aborted ? 'yes' : 'no')
    case 'credentials':
      return context.credentials
    case 'deadline':
      return context.deadline?.toISOString()
    case 'untilAborted': {
      if (!context.signal.aborted) {
        await new Promise(resolve => {
          context.signal.addEventListener('abort', resolve, { once: true })
        })
      }
      await context.kv.set('aborted', true)
      return undefined
    }
    case 'attempt': {
      const failure: unknown = await runAll(step.steps, context).then(() => undefined, (error: unknown) => error)
      return describeFailure(failure)
    }
    case 'fill': {
      let stored = 0
      try {
        for (;; stored += 1) await context.kv.set(`fill-${stored}`, 'x'.repeat(step.characters))
      } catch (error) {
        return { stored, failure: describeFailure(error) }
      }
    }
    case 'enqueueMany': {
      const payload = { text: 'x'.repeat(step.characters) }
      for (let index = 0; index < step.count; index += 1) {
        await context.jobs.enqueue('probe.next', payload, { key: `many-${index}` })
      }
      return undefined
    }
    case 'fail':
      throw new RejectedError(step.message)
    case 'lose':
      throw new TransientError(step.message)
    case 'refuse':
      throw new AuthenticationError(step.message)
    default:
      throw new Error(`no step '${step.do}'`)
  }
}

function describeFailure (failure: unknown): object | undefined {
  if (!(failure instanceof Error)) return undefined
  return {
    name: failure.name,
    message: failure.message,
    ...('code' in failure ? { code: failure.code } : {}),
    ...('fields' in failure ? { fields: failure.fields } : {})
  }
}

/** Ignores its signal: some tests need a call that does not stop. */
async function waitFor (key: string, { kv }: { kv: KeyValueStore }): Promise<void> {
  for (let look = 0; look < mostLooks; look++) {
    if (await kv.get(key) !== undefined) return
    await sleep(lookEveryMs)
  }
  throw new Error(`nobody set '${key}'`)
}

async function token (
  { renewed, during = [], rejected }: Extract<Step, { do: 'token' }>,
  context: ProbeContext
): Promise<string> {
  return context.oauth.accessToken(async stored => {
    context.metrics.count('refreshes')
    await context.kv.set('refreshed', stored.accessToken)
    await runAll(during, context)
    // The host checks what it stores, and some tests need it to refuse.
    return renewed as ProbeCredentials
  }, rejected === undefined ? {} : { rejected })
}

type ProbeHost = RouteHost<null, Static<typeof Config>, ProbeCredentials>

async function runRoute (steps: readonly RouteStep[], host: ProbeHost): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const step of steps) answers.push(await runRouteStep(step, host))
  return answers
}

async function runRouteStep (step: RouteStep, host: ProbeHost): Promise<unknown> {
  const { flows, connections, log } = host
  switch (step.do) {
    case 'begin':
      return flows.begin(step.data, step)
    case 'complete':
      return flows.complete(step.state, async data => {
        log.info({ state: step.state }, 'worked')
        await runRoute(step.during ?? [], host)
        return step.answersNothing === true ? undefined : step.answer ?? data
      }, { proof: step.proof })
    case 'getConnection': {
      const found = await connections.get(step.id)
      if (found === undefined) return undefined
      const { kv, ...connection } = found
      return { ...connection, values: await kv.list({ prefix: '' }) }
    }
    case 'createConnection':
      return connections.create(step.connection as NewConnection<Static<typeof Config>, ProbeCredentials>, step)
    case 'replaceCredentials':
      return connections.replaceCredentials(step.id, step.credentials as ProbeCredentials, step.values)
    case 'waitForValue':
      return waitFor(step.key, await connectionOf(step.id, host))
    case 'setValue':
      return (await connectionOf(step.id, host)).kv.set(step.key, step.value)
    case 'log':
      return log.info(step.fields, step.message)
    case 'attempt':
      return describeFailure(await runRoute(step.steps, host).then(() => undefined, (error: unknown) => error))
    case 'fail':
      throw new RejectedError(step.message)
    default:
      throw new Error('no such step')
  }
}

async function connectionOf (id: string, { connections }: ProbeHost): Promise<{ kv: KeyValueStore }> {
  const found = await connections.get(id)
  if (found === undefined) throw new Error(`no connection '${id}'`)
  return found
}

export default defineAdapter({
  config: Config,
  credentials: Type.Object({
    accessToken: Type.String({ secret: true }),
    expiresAt: Type.String(),
    refreshToken: Type.String({ secret: true })
  }, { additionalProperties: false }),
  connect: () => null,
  account: async () => ({ id: 'probe', name: 'Probe' }),
  capabilities: {
    'probe/Steps': (_client: null, context: ProbeContext): ProbeSteps => ({ run: steps => runAll(steps, context) })
  },
  routes: [{
    method: 'POST',
    path: '/steps',
    auth: 'admin',
    async handler ({ body }, host) {
      return { body: await runRoute((body as { steps: RouteStep[] }).steps, host) }
    }
  }],
  jobs: {
    'probe.run': defineJob({
      payload: Type.Object({ steps: Type.Array(Type.Unsafe<Step>(Type.Object({ do: Type.String() }))) }),
      run: async (_client: null, { payload }, context: ProbeContext) => ({
        result: await runAll(payload.steps, context)
      })
    })
  }
})
