import { NotFoundError, type StockLevel } from '@linker/sdk'
import t from 'tap'
import { createStockReads, type CallInventory } from '../../src/handlers/stock-reads.ts'
import { fakeAdapter, fakeConnection, fakeOpened } from '../connections/support.ts'
import { runningJob } from './fake-adapter.ts'

const connection = fakeConnection()
const level = (productExternalId: string): StockLevel => ({ productExternalId, variantExternalId: '1', quantity: 5 })

/** Reads of a shop that answers like `answer`. */
function open (methods: readonly string[], answer: (argument: unknown) => unknown) {
  const calls: [string, unknown][] = []
  const call: CallInventory = async (_job, _opened, method, argument) => {
    calls.push([method, argument])
    return answer(argument)
  }
  const reads = createStockReads(call)
  const opened = fakeOpened(connection, fakeAdapter({ described: { capabilities: { InventoryMaster: methods } } }))
  return {
    calls,
    /** Reads products as that many jobs do which come at once. */
    read (...products: readonly string[]): Promise<PromiseSettledResult<StockLevel[]>[]> {
      return Promise
        .allSettled(products.map(product => reads.read(runningJob('stock.sync', connection.id), opened, product)))
    }
  }
}

t.test('a shop that reads one product at a time is asked for each', async t => {
  const { read, calls } = open(['getStock'], product => [level(String(product))])
  await read('p', 'q')

  t.strictSame(calls, [['getStock', 'p'], ['getStock', 'q']])
})

t.test('a shop that can read many is asked once, and each job gets its own product', async t => {
  const { read, calls } = open(['getStock', 'getStockMany'], given => (given as string[]).map(level))

  t.match(await read('p', 'q', 'p'), [
    { value: [{ productExternalId: 'p' }] },
    { value: [{ productExternalId: 'q' }] },
    { value: [{ productExternalId: 'p' }] }
  ])
  t.strictSame(calls, [['getStockMany', ['p', 'q']]])
})

t.test('one product is read by the call that gives a reason', async t => {
  const { read, calls } = open(['getStock', 'getStockMany'], () => [level('p')])
  await read('p', 'p')

  t.strictSame(calls.map(([method]) => method), ['getStock', 'getStock'])
})

t.test('a product that the answer lacks is asked for alone, and only its job fails', async t => {
  const { read, calls } = open(['getStock', 'getStockMany'], argument => {
    if (argument === 'gone') throw new NotFoundError('no such product')
    return [level('p')]
  })

  t.match(await read('p', 'gone'), [{ status: 'fulfilled' }, { reason: { code: 'LNK_ADAPTER_NOT_FOUND' } }])
  t.strictSame(calls.map(([method]) => method), ['getStockMany', 'getStock'])
})

t.test('an answer that breaks the contract fails the jobs that it is for', async t => {
  const { read } = open(['getStock', 'getStockMany'], () => [{ ...level('p'), quantity: '5' }])

  t.match(await read('p', 'q'), [
    { reason: { code: 'LNK_ADAPTER_REJECTED' } },
    { reason: { code: 'LNK_ADAPTER_REJECTED' } }
  ])
})
