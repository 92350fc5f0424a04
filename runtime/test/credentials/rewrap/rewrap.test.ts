import t from 'tap'
import { rewrap } from '../../../src/credentials/rewrap/rewrap.ts'
import type { SealedTable } from '../../../src/credentials/rewrap/sealed-table.ts'
import { createSealing, type Sealed } from '../../../src/credentials/sealing.ts'

const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const [k1, k2, k3] = [keyOf('k1', 1), keyOf('k2', 2), keyOf('k3', 3)]
const contextOf = (id: string): string => `table/${id}`
const sealWith = (key: string | undefined, id: string): Sealed =>
  createSealing(key === undefined ? {} : { credentialsKey: key }).seal({ secret: id }, contextOf(id))
const kidOf = ({ json, encrypted }: Sealed): string => encrypted ? String(json.kid) : 'none'

/** A table in memory; `onList` runs after each page was read. */
function openTable (rows: Map<string, Sealed>, onList: () => void = () => undefined): SealedTable {
  return {
    what: 'secrets',
    async list (keyId, after, limit) {
      const found = [...rows].filter(([id, sealed]) => id > after && kidOf(sealed) !== keyId).toSorted()
        .slice(0, limit)
        .map(([id, sealed]) => ({ id, context: contextOf(id), sealed, connection: { id: 'c', name: 'My shop' } }))
      onList()
      return found
    },
    sample: async () => [],
    async replace ({ id, sealed: before }, sealed) {
      if (rows.get(id) !== before) return false
      rows.set(id, sealed)
      return true
    }
  }
}

const run = (rows: Map<string, Sealed>, credentialsKey: string, isDryRun = false, onList?: () => void) =>
  rewrap({
    sealing: createSealing({ credentialsKey }),
    tables: [openTable(rows, onList)],
    readKeyIds: async () => [...new Set([...rows.values()].map(kidOf))],
    isDryRun
  })

t.test('all secrets get the newest key, also those that were not encrypted, page by page', async t => {
  const names = Array.from({ length: 250 }, (_, index) => `row ${String(index).padStart(3, '0')}`)
  const rows = new Map(names.map((id, index) => [id, sealWith([k1, k2, undefined][index % 3], id)]))
  const planned = await run(rows, `${k2},${k1}`, true)
  t.equal(kidOf(rows.get('row 000') ?? sealWith(k3, '')), 'k1', 'a dry run changes nothing')

  const done = await run(rows, `${k2},${k1}`)

  t.match(done, {
    dryRun: false,
    keyId: 'k2',
    rewrapped: [{ what: 'secrets', count: 167, unencrypted: 83 }],
    failed: { length: 0 },
    unusedKeyIds: ['k1']
  })
  t.strictSame({ ...planned, dryRun: false }, done)
  t.strictSame([...new Set([...rows.values()].map(kidOf))], ['k2'])
  const sealing = createSealing({ credentialsKey: k2 })
  for (const [id, sealed] of rows) t.strictSame(sealing.open(sealed, contextOf(id)), { secret: id })
  t.match(await run(rows, `${k2},${k1}`), { rewrapped: [{ count: 0 }], unusedKeyIds: ['k1'] })
})

t.test('a secret that no key opens is named and stays as it is', async t => {
  const [lost, moved] = [sealWith(k3, 'lost'), sealWith(k1, 'elsewhere')]
  const rows = new Map([['good', sealWith(k1, 'good')], ['lost', lost], ['moved', moved]])
  const done = await run(rows, `${k2},${k1}`)

  t.match(done, {
    rewrapped: [{ count: 1 }],
    failed: [
      { id: 'lost', connection: 'My shop', keyId: 'k3', message: /'k3', which is missing/ },
      { id: 'moved', keyId: 'k1', message: /cannot decrypt/ }
    ],
    unusedKeyIds: { length: 0 }
  })
  t.strictSame([rows.get('lost'), rows.get('moved')], [lost, moved])
  t.strictSame((await run(rows, `${k2},${k1}`, true)).unusedKeyIds, [])
})

t.test('a secret that is replaced meanwhile keeps its new content', async t => {
  const rows = new Map([['row', sealWith(k1, 'row')]])
  const newer = sealWith(k2, 'row')
  const done = await run(rows, `${k2},${k1}`, false, () => rows.set('row', newer))

  t.match(done, { rewrapped: [{ count: 0 }], failed: { length: 0 } })
  t.equal(rows.get('row'), newer)
})

t.test('without a key there is nothing to seal with', async t => {
  const sealing = createSealing({})
  await t.rejects(rewrap({ sealing, tables: [], readKeyIds: async () => [], isDryRun: true }), {
    code: 'LNK_CREDENTIALS_KEY_MISSING'
  })
})
