import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { readAll, readByIds } from '../../src/webservice/paging.ts'
import { createShop, expectGet } from '../shop.ts'

const { connect } = createShop(t)

const ofProduct = { 'filter[id_product]': '[27]', display: '[id,id_product]' }
const firstPage = { ...ofProduct, sort: '[id_ASC]', limit: '0,1000' }
const secondPage = { ...firstPage, 'filter[id]': '>[1000]' }
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, id_product: '27' }))

t.test('all rows are read in pages of a thousand, each after the largest id of the page before', async t => {
  expectGet('combinations', firstPage).reply(200, { combinations: rows(1, 1_000) })
  expectGet('combinations', secondPage).reply(200, { combinations: rows(1_001, 2) })

  const all = await readAll(connect().client, 'combinations', ofProduct)

  t.equal(all.length, 1_002)
  t.equal(all.at(-1)?.id, 1_002)
})

t.test('a full last page is followed by an empty one', async t => {
  expectGet('combinations', firstPage).reply(200, { combinations: rows(1, 1_000) })
  expectGet('combinations', secondPage).reply(200, [])

  t.equal((await readAll(connect().client, 'combinations', ofProduct)).length, 1_000)
})

t.test('a shop that repeats a page is an error, not the end of the rows', async t => {
  expectGet('combinations', firstPage).reply(200, { combinations: rows(1, 1_000) })
  expectGet('combinations', secondPage).reply(200, { combinations: rows(1, 1_000) })

  await t.rejects(readAll(connect().client, 'combinations', ofProduct), {
    code: AdapterErrorCode.transient,
    message: /repeats a page of combinations/
  })
})

t.test('ids are joined by pipes, 200 at a time, and rows of other ids are dropped', async t => {
  const ids = Array.from({ length: 201 }, (_, index) => String(index + 1))
  expectGet('taxes', { 'filter[id]': `[${ids.slice(0, 200).join('|')}]`, display: 'full' }).reply(200, {
    taxes: [{ id: 1 }, { id: 200 }, { id: 201 }]
  })
  expectGet('taxes', { 'filter[id]': '[201]', display: 'full' }).reply(200, { taxes: [{ id: 201 }] })

  t.same(await readByIds(connect().client, 'taxes', ids, { display: 'full' }), [{ id: 1 }, { id: 200 }, { id: 201 }])
})
