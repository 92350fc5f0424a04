import type { QuantityChange } from '@linker/sdk'
import type { MarketplaceContext } from '../../src/config.ts'
import { listChanges } from '../../src/quantities/changes.ts'
import { checkCommand } from '../../src/quantities/check.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { updateQuantities } from '../../src/quantities/update.ts'
import { createMarketplace, rest, restWrite, type Hooks } from '../marketplace.ts'

/** Makes connections with one accepted command each. */
export function createAcceptedCommand (t: Hooks) {
  const { connect, advance, logs } = createMarketplace(t)

  /** A connection with one accepted command for the offers `1`, `2`, …. */
  async function begin (offers = 2, quantity = 8) {
    const { client, context, effects } = connect()
    const changeOf = (_: unknown, index: number): QuantityChange => ({
      externalId: String(index + 1),
      quantity,
      commandId: `job-${index + 1}`
    })
    const changes = Array.from({ length: offers }, changeOf)
    const commandId = deriveCommandId([...changes.map(change => change.commandId).toSorted(), quantity].join('\n'))
    if (quantity === 0) {
      restWrite().patch('/sale/product-offers/1').reply(202, {}, {
        location: 'https://api.sandbox.test/sale/product-offers/1/operations/op-1'
      })
    } else {
      restWrite().put(`/sale/offer-quantity-change-commands/${commandId}`).reply(201, summary(commandId, 0, 0, 0))
    }
    await updateQuantities(client, context, changes)
    return {
      client,
      context,
      effects,
      path: `/sale/offer-quantity-change-commands/${commandId}`,
      check: (attempt = 1, id = 'job', given = context) =>
        checkCommand.run(client, { id, type: 'mkta.quantityCommand.check', payload: { commandId, attempt } }, given),
      checkOther: (id: string, other: string, attempt = 1) =>
        checkCommand.run(
          client,
          { id, type: 'mkta.quantityCommand.check', payload: { commandId: other, attempt } },
          context
        ),
      restockOf: (offerId: string) => deriveCommandId(`${commandId}\nrestock\n${offerId}`),
      states: async () => {
        const { changes } = await listChanges(context.kv, { limit: 100 })
        return Object.fromEntries(changes.map(({ offerId, status, error }) => [offerId, [status, error]]))
      }
    }
  }

  /** A context whose lock first waits one second while `overtake` runs. */
  function beforeLock<Given extends Pick<MarketplaceContext, 'locks'>> (
    context: Given,
    overtake: () => Promise<unknown>
  ): Given {
    const { locks } = context
    return {
      ...context,
      locks: {
        async run (name, work) {
          advance(1_000)
          await overtake()
          return locks.run(name, work)
        }
      }
    }
  }

  return { begin, beforeLock, connect, advance, logs }
}

/**
 * A context that does not see the open commands at first, like that of another process which sends
 * at the same time.
 */
export function unseeing<Given extends Pick<MarketplaceContext, 'kv'>> (context: Given): Given {
  const { kv } = context
  let hasLooked = false
  return {
    ...context,
    kv: {
      ...kv,
      async list (options) {
        const isFirst = !hasLooked && options.prefix.startsWith('quantity-open/')
        hasLooked ||= isFirst
        return isFirst ? [] : kv.list(options)
      }
    }
  }
}

export const summary = (
  id: string,
  total: number,
  success: number,
  failed: number,
  completedAt: string | null = null
) => ({
  id,
  createdAt: '2025-01-02T12:00:00.000Z',
  completedAt,
  taskCount: { total, success, failed }
})
export const task = (id: string, members: object = {}) => ({
  field: 'quantity',
  message: '',
  offer: { id },
  status: 'SUCCESS',
  errors: [],
  ...members
})
export const restTasks = (path: string, found: object, ...tasks: object[]) =>
  rest().get(path).reply(200, found).get(`${path}/tasks?limit=1000&offset=0`).reply(200, { tasks })
export const isEnded = {
  status: 'FAIL',
  message: 'Offer is ended',
  errors: [{ code: 'ATTEMPT_TO_CHANGE_OFFER_QUANTITY_TO_INVALID_VALUE', message: 'Offer is ended', path: 'quantity' }]
}
