import type { Recording } from '@linker/sdk/host'
import { found, lateUpdate, openUpdate, post, type RecordedPackage } from './recorded-adapter.ts'

/** One way to spoil the recorded adapter, and the check that must notice it. */
export interface BadRecordedAdapter {
  check: string
  how: string
  spoil(good: RecordedPackage): RecordedPackage
}

const replace = (from: string, to: string) => (good: RecordedPackage): RecordedPackage => {
  const source = good.source.replace(from, () => to)
  if (source === good.source) throw new Error(`the recorded adapter has no '${from}'`)
  return { ...good, source }
}
const record = (file: string, recording: Recording) => (good: RecordedPackage): RecordedPackage => ({
  ...good,
  recordings: { ...good.recordings, [file]: recording }
})

const listing = "return { items: items.map(toProduct), ...(typeof next === 'string' ? { nextCursor: next } : {}) }"
const asking = "read(await client.http.get('products', { query: { cursor, limit } }), 'items')"
const creating = 'return await findOrder(reference) ?? send(reference)'

const waiting = "throw new WriteUnderWayError('the write before is open')"
const looking = `if (await kv.get('open/' + externalId)) ${waiting}`

/** Creates the order; runs the code in a call that follows one whose answer was lost. */
const afterLoss = (code: string): string =>
  `if (await client.context.kv.get('lost')) { ${code} }
      return await findOrder(reference) ?? send(reference).catch(async error => {
        await client.context.kv.set('lost', true)
        throw error
      })`

export const badRecordedAdapters: readonly BadRecordedAdapter[] = [
  { check: 'L3-FIX-01', how: 'it cannot read a name', spoil: replace('({ id, name })', '({ id, title: { name } })') },
  { check: 'L3-FIX-01', how: 'it asks another address', spoil: replace("get('events')", "get('inbox')") },
  { check: 'L3-FIX-01', how: 'it answers a number for a name', spoil: replace('name, isActive', 'name: 7, isActive') },
  {
    check: 'L3-FIX-01',
    how: 'it ends after the first page',
    spoil: replace(listing, 'return { items: items.map(toProduct) }')
  },
  {
    check: 'L3-PAG-01',
    how: 'it lists the first product on each page',
    spoil: replace(
      'items: items.map(toProduct)',
      "items: items.map(toProduct).with(0, toProduct({ id: 1, name: 'Mug' }))"
    )
  },
  {
    check: 'L3-PAG-02',
    how: 'the client remembers the position',
    spoil: replace(
      asking,
      "read(await client.http.get('products', { query: { cursor: client.position, limit } }), 'items')\n" +
        '      client.position = next'
    )
  },
  {
    check: 'L3-PAG-03',
    how: 'each cursor is another one',
    spoil: good =>
      replace(asking, "read(await client.http.get('products', { query: { cursor: at, limit } }), 'items')")(replace(
        'async listProducts ({ cursor, limit }) {',
        "async listProducts ({ cursor, limit }) {\n      const [at, count = 0] = cursor?.split('#') ?? []"
      )(replace('nextCursor: next', "nextCursor: next + '#' + (Number(count) + 1)")(good)))
  },
  {
    check: 'L3-PAG-04',
    how: 'it ends at an empty page',
    spoil: replace(listing, `if (items.length === 0) return { items: [] }\n      ${listing}`)
  },
  {
    check: 'L3-PAG-04',
    how: 'it reads the last item of an empty page',
    spoil: replace(listing, `if (items.at(-1).id === 0) return { items: [] }\n      ${listing}`)
  },
  {
    check: 'L3-PAG-04',
    how: 'it answers the cursor that it was called with',
    spoil: replace(listing, `if (items.length === 0) return { items: [], nextCursor: cursor }\n      ${listing}`)
  },
  {
    check: 'L3-PAG-05',
    how: 'a refused cursor is the end',
    spoil: replace(
      asking,
      `await client.http.get('products', { query: { cursor, limit } }).catch(() => ({ items: [] }))`
    )
  },
  {
    check: 'L3-WRT-01',
    how: 'it makes a second order, as the platform lets it',
    spoil: good =>
      record('fixtures/order.json', {
        exchanges: [post(71), post(72)]
      })(replace(creating, 'return send(reference)')(good))
  },
  {
    check: 'L3-WRT-01',
    how: 'it answers another order',
    spoil: record('fixtures/order.json', { exchanges: [found(), post(71), found(72)] })
  },
  {
    check: 'L3-WRT-01',
    how: 'it makes a second address',
    spoil: good =>
      record('fixtures/update.json', {
        exchanges: openUpdate.slice(0, 2).concat(openUpdate.slice(1))
      })(replace(' && street !== wanted', '')(good))
  },
  {
    check: 'L3-WRT-02',
    how: 'it sends a lost order again at once',
    spoil: replace(creating, 'return await findOrder(reference) ?? send(reference).catch(() => send(reference))')
  },
  {
    check: 'L3-WRT-02',
    how: 'it sends a lost order again when it is called again',
    spoil: replace(creating, afterLoss('return send(reference)'))
  },
  {
    check: 'L3-WRT-02',
    how: 'it gives up after a lost answer',
    spoil: replace(creating, afterLoss("throw new TransientError('it was lost')"))
  },
  {
    check: 'L3-WRT-03',
    how: 'it sends the later quantity at once',
    spoil: replace(looking, '')
  },
  {
    check: 'L3-WRT-03',
    how: 'it says that it has sent the later quantity',
    spoil: replace(waiting, "return { applied: ['stock'], frozen: [] }")
  },
  {
    check: 'L3-WRT-03',
    how: 'it uses up the attempts of the later quantity',
    spoil: replace(waiting, "throw new TransientError('the write before is open')")
  },
  {
    check: 'L3-WRT-03',
    how: 'it never sees the end of the earlier write',
    spoil: replace("await kv.delete('open/' + externalId)", 'void 0')
  },
  {
    check: 'L3-WRT-04',
    how: 'it names a change that it was not given',
    spoil: replace('Object.keys(changes)', "[...Object.keys(changes), 'payment']")
  },
  {
    check: 'L3-WRT-04',
    how: 'it writes the address of an order that is shipped',
    spoil: good =>
      record('fixtures/late-update.json', { exchanges: lateUpdate })(replace('if (!isShipped && ', 'if (')(good))
  },
  {
    check: 'L3-WRT-04',
    how: 'it says that it applied everything when it is called again',
    spoil: replace('isShipped || ', 'street !== wanted && ')
  },
  {
    check: 'L3-EVT-01',
    how: 'an event gets the time of its reading as its id',
    spoil: replace('eventId: id', "eventId: id + '@' + client.context.clock.now().getTime()")
  },
  {
    check: 'L3-EVT-01',
    how: 'an event gets a random id',
    spoil: replace('eventId: id', 'eventId: crypto.randomUUID()')
  }
]
