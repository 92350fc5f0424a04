import t from 'tap'
import { associatedIds, integer, isSet, localized, reference } from '../../src/webservice/row.ts'

t.test('a missing or invalid number is unknown, not zero', async t => {
  for (const value of [undefined, null, '', ' ', 'NaN', 'many', '1.5', Number.NaN, {}, []]) {
    t.equal(integer(value), undefined, JSON.stringify(value))
  }
  t.equal(integer('0'), 0)
  t.equal(integer(0), 0)
  t.equal(integer('-3'), -3)
  t.equal(integer('13.000000'), 13)
})

t.test('an absent reference is 0, because the shop drops falsy members', async t => {
  t.equal(reference(undefined), '0')
  t.equal(reference(''), '0')
  t.equal(reference(27), '27')
})

t.test('a flag is set in each of its three forms', async t => {
  for (const value of ['1', 1, true]) t.ok(isSet(value))
  for (const value of ['0', 0, false, '', undefined, null]) t.notOk(isSet(value))
})

t.test('associations are read flat, wrapped, and as a single object', async t => {
  const forms = [{ images: [{ id: '41' }, { id: 42 }] }, { images: { image: [{ id: '41' }, { id: '42' }] } }]

  for (const associations of forms) t.same(associatedIds({ associations }, 'images'), ['41', '42'])
  t.same(associatedIds({ associations: { images: { image: { id: '41' } } } }, 'images'), ['41'])
  t.same(associatedIds({ associations: { images: { id: '41' } } }, 'images'), ['41'])
  for (const associations of [undefined, '', {}, { images: '' }, { images: [] }]) {
    t.same(associatedIds({ associations }, 'images'), [])
  }
})

t.test('a localised text is read in the wanted language, else in the first language with a text', async t => {
  const names = [{ id: '1', value: '' }, { id: '2', value: 'Kubek' }, { id: '3', value: 'Mug' }]

  t.equal(localized('Mug', '3'), 'Mug')
  t.equal(localized(names, '3'), 'Mug')
  t.equal(localized(names, undefined), 'Kubek')
  t.equal(localized(names, '1'), 'Kubek')
  t.equal(localized({ language: names }, '3'), 'Mug')
  t.equal(localized({ language: { id: '1', value: 'Mug' } }, undefined), 'Mug')
  t.equal(localized([], undefined), undefined)
})
