import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { defineAdapter, defineJob } from '../../adapter.ts'
import type { Context } from '../../context.ts'
import { RejectedError } from '../../errors.ts'
import type { ProbeCredentials, Step } from './steps.ts'

// An adapter that does what its job's payload says. The default export, so that a thread can load it as any other.

type ProbeContext = Context<Record<string, never>, ProbeCredentials>

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
    case 'get': return context.kv.get(step.key)
    case 'set': return context.kv.set(step.key, step.value, step.options)
    case 'setUnstorable': return context.kv.set('unstorable', unstorable[step.kind]?.())
    case 'setDate': return context.kv.set(step.key, { at: new Date(step.iso) })
    case 'delete': return context.kv.delete(step.key)
    case 'readCursor': return context.cursor.get(step.name)
    case 'setCursor': return context.cursor.set(step.name, step.value)
    case 'enqueue': return context.jobs.enqueue(step.jobType, step.payload, { key: step.key })
    case 'lock': return context.locks.run(step.name, () => runAll(step.steps, context))
    case 'token': return token(step, context)
    case 'count': return context.metrics.count(step.name, step.by)
    case 'observe': return context.metrics.observe(step.name, step.value)
    case 'log': return context.log[step.level](step.withFunction === true ? { ...step.fields, callback: () => undefined } : step.fields, step.message)
    default: return runOther(step, context)
  }
}

async function runOther (step: Step, context: ProbeContext): Promise<unknown> {
  switch (step.do) {
    case 'add': {
      const before = Number(await context.kv.get(step.key) ?? 0)
      await sleep(1)
      return context.kv.set(step.key, before + 1)
    }
    case 'waitFor': return waitFor(step.key, context)
    case 'credentials': return context.credentials
    case 'deadline': return context.deadline?.toISOString()
    case 'untilAborted': {
      if (!context.signal.aborted) await new Promise(resolve => { context.signal.addEventListener('abort', resolve, { once: true }) })
      await context.kv.set('aborted', true)
      return undefined
    }
    case 'attempt': {
      const failure: unknown = await runAll(step.steps, context).then(() => undefined, (error: unknown) => error)
      return failure instanceof Error ? { name: failure.name, message: failure.message, ...('code' in failure ? { code: failure.code } : {}) } : undefined
    }
    case 'fail': throw new RejectedError(step.message)
    default: throw new Error(`no step '${step.do}'`)
  }
}

/** Whatever its signal says: some tests need a call that does not stop. */
async function waitFor (key: string, { kv }: ProbeContext): Promise<void> {
  for (let look = 0; look < mostLooks; look++) {
    if (await kv.get(key) !== undefined) return
    await sleep(lookEveryMs)
  }
  throw new Error(`nobody set '${key}'`)
}

async function token ({ renewed, during = [], rejected }: Extract<Step, { do: 'token' }>, context: ProbeContext): Promise<string> {
  return context.oauth.accessToken(async stored => {
    context.metrics.count('refreshes')
    await context.kv.set('refreshed', stored.accessToken)
    await runAll(during, context)
    // The host judges what it stores; some tests need it to refuse.
    return renewed as ProbeCredentials
  }, rejected === undefined ? {} : { rejected })
}

export default defineAdapter({
  config: Type.Object({}),
  credentials: Type.Object({
    accessToken: Type.String({ secret: true }), expiresAt: Type.String(), refreshToken: Type.String({ secret: true })
  }, { additionalProperties: false }),
  connect: () => null,
  capabilities: {},
  jobs: {
    'probe.run': defineJob({
      payload: Type.Object({ steps: Type.Array(Type.Unsafe<Step>(Type.Object({ do: Type.String() }))) }),
      run: async (_client: null, { payload }, context: ProbeContext) => ({ result: await runAll(payload.steps, context) })
    })
  }
})
