import t from 'tap'
import { contains } from '../../../src/offers/marketplace/judge-offers.ts'
import { findOffered } from '../../../src/offers/marketplace/store.ts'
import { releaseOffer } from '../../../src/offers/unlinked/store.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { openStand } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`the variants that may be those of an offer, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    t.test('are those with its SKU, its EAN or its own id', async t => {
      const { judge, name, show, variantIdOf } = await openStand(jobs, ['v', 'w', 'x'])
      await name('v', { sku: 'SKU-1' })
      await name('w', { sku: ' SKU-2 ', ean: '012345678905' })
      await show('by sku', { sku: 'SKU-1' })
      await show('by reference', { reference: 'SKU-2 ' })
      await show('by id', { reference: ` ${variantIdOf('x').toUpperCase()}` })
      await show('by nothing', { sku: 'SKU', reference: 'SKU-', ean: '0' })

      t.strictSame(await judge('by sku'), ['certain', 'v sku only-match'])
      t.strictSame(await judge('by reference'), ['certain', 'w sku only-match'])
      t.strictSame(await judge('by id'), ['certain', 'x reference only-match'])
      t.strictSame(await judge('by nothing'), ['none'])
      await query('delete from unlinked_offers')
      await show('by ean', { ean: '0012345678905' })
      t.strictSame(await judge('by ean'), ['certain', 'w ean only-match'])
      await query('delete from unlinked_offers')
      await show('by an EAN as reference', { reference: '012345678905' })
      t.strictSame(await judge('by an EAN as reference'), ['certain', 'w ean only-match'])
    })

    t.test('are ambiguous when several variants or several offers match', async t => {
      const { judge, name, show } = await openStand(jobs, ['v', 'w', 'x'])
      await name('v', { sku: 'SKU-1' })
      await name('w', { sku: 'sku-1' })
      await name('x', { sku: 'SKU-3', ean: '40123455' })
      await show('1', { sku: 'SKU-1' })
      await show('2', { reference: 'sku-3' })
      await show('3', { sku: 'SKU-3' })
      await show('4', { ean: '040123455' })

      const [state, ...both] = await judge('1')
      t.strictSame([state, both.toSorted()], ['ambiguous', ['v sku several-variants', 'w sku several-variants']])
      t.strictSame(await judge('2'), ['ambiguous', 'x sku several-offers'])
      t.strictSame(await judge('3'), ['ambiguous', 'x sku several-offers'])
      t.strictSame(await judge('4'), ['ambiguous', 'x ean several-offers'])
      await query("delete from unlinked_offers where external_id = '2'")
      t.strictSame(await judge('3'), ['certain', 'x sku only-match'], 'an EAN counts less than an SKU')
      t.strictSame(await judge('4'), ['ambiguous', 'x ean several-offers'])
    })

    t.test('are not certain while another offer sells them, or they are missing, or an operator said no', async t => {
      const { addOffer, judge, name, show, variantIdOf } = await openStand(jobs)
      await name('v', { sku: 'SKU-1' })
      await name('w', { sku: 'SKU-2' })
      await show('1', { sku: 'SKU-1' })
      await show('2', { sku: 'SKU-2' })
      const other = await addOffer({ external_id: 'other', sku: 'SKU-2' })

      t.strictSame(await judge('1'), ['ambiguous', 'v sku variant-has-offer'])
      await query("update offers set status = 'ENDED' where id = $1", [other])
      t.strictSame(await judge('1'), ['certain', 'v sku only-match'])
      await query('update variants set missing_at = now() where id = $1', [variantIdOf('w')])
      t.strictSame(await judge('2'), ['ambiguous', 'w sku variant-missing'])
      await query('update variants set missing_at = null')
      const linked = await addOffer({ external_id: '2', variant_id: variantIdOf('w'), sku: 'SKU-2' })
      t.strictSame(await judge('2'), ['linked'])
      await releaseOffer(query, linked)
      t.strictSame(await judge('2'), ['ambiguous', 'w sku unlinked-by-operator'])
    })

    t.test('are found by texts that no index takes whole, and by odd ones', async t => {
      const { judge, name, show } = await openStand(jobs)
      const long = 'Ä'.repeat(3_000)
      await name('v', { sku: `${long}1`, name: long })
      await name('w', { sku: "%_'\\", ean: 'no number' })
      await show('long', { sku: `${long}1`, reference: long })
      await show('other end', { sku: `${long}2` })
      await show('odd', { sku: "%_'\\" })
      await show('no number', { ean: 'no number' })
      await show('7', { ean: '7' })

      t.match(await judge('long'), ['ambiguous', 'v sku several-offers'])
      t.match(await judge('other end'), ['ambiguous', 'v sku several-offers'])
      t.strictSame(await judge('odd'), ['certain', 'w sku only-match'])
      t.strictSame(await judge('no number'), ['ambiguous', 'w ean several-offers'])
    })

    t.test('are as few as people can read, however many have one SKU', async t => {
      const names = Array.from({ length: 30 }, (_, index) => `v${index}`)
      const { judge, show } = await openStand(jobs, ['v', ...names])
      await query("update variants set sku = 'none'")
      await show('1', { sku: 'none' })

      t.equal((await judge('1')).length, 6)
      await query("update variants set missing_at = now() where external_id not in ('v', 'v7')")
      const [state, ...suggestions] = await judge('1')
      t.equal(state, 'ambiguous')
      t.equal(suggestions.filter(text => text.endsWith('several-variants')).length, 2)
    })
  })
}

t.test('a text is looked for in the title, the id, the reference, the SKU and the EAN', async t => {
  const jobs = await openJobsFor(t, 'embedded')
  const { market, show } = await openStand(jobs)
  await show('4711', { title: 'Blue Mug', reference: 'ref-1', sku: 'SKU-1', ean: '590' })
  await show('4712')
  const [mug, bare] = await findOffered(jobs.database.query, market, ['4711', '4712'])

  for (const text of [' blue', 'MUG ', '71', 'EF-1', 'sku', '59']) t.ok(mug !== undefined && contains(mug, text), text)
  t.notOk(mug !== undefined && contains(mug, 'red'))
  t.notOk(bare !== undefined && contains(bare, 'mug'))
})
