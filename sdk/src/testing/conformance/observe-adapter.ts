import type { Adapter } from '../../adapter.ts'

/** How an adapter's own function ended. */
export interface Settled {
  error?: unknown
}

/**
 * Wraps the adapter to report each call of its functions twice: when it first gives control back,
 * and when it ends.
 */
export function observeAdapter (
  definition: Adapter,
  onCall: (own: Promise<Settled>) => void,
  onReturn: () => void = () => undefined
): Adapter {
  const observed = <Args extends unknown[], Answer>(run: (...args: Args) => Answer) => (...args: Args): Answer => {
    const { promise, resolve } = Promise.withResolvers<Settled>()
    onCall(promise)
    try {
      const answer = run(...args)
      onReturn()
      Promise.resolve(answer).then(() => {
        resolve({})
      }, (error: unknown) => {
        resolve({ error })
      })
      return answer
    } catch (error) {
      resolve({ error })
      throw error
    }
  }

  const capabilities = Object.entries(definition.capabilities).map(([name, factory]) => {
    const make = factory as (...args: unknown[]) => object
    return [
      name,
      (...args: unknown[]) =>
        Object
          .fromEntries(Object.entries(make(...args)).map(
            ([method, member]) => [method, typeof member === 'function' ? observed(member as () => unknown) : member]
          ))
    ]
  })
  const jobs = Object.entries(definition.jobs ?? {}).map(
    ([name, job]) => [name, { ...job, run: observed(job.run.bind(job)) }]
  )
  const { webhooks } = definition
  return {
    ...definition,
    webhooks: webhooks && { ...webhooks, install: webhooks.install && observed(webhooks.install.bind(webhooks)) },
    test: definition.test && observed(definition.test.bind(definition)),
    account: definition.account && observed(definition.account.bind(definition)),
    capabilities: Object.fromEntries(capabilities) as Adapter['capabilities'],
    jobs: Object.fromEntries(jobs) as NonNullable<Adapter['jobs']>
  }
}
