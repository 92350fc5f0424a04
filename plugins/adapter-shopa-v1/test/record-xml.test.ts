import t from 'tap'
import { recordXml } from '../src/record-xml.ts'

t.test('a record stands under its singular, each value in its own section and without a blank', async t => {
  t.equal(
    recordXml('stock_available', { id: '67', quantity: '10' }),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<shopa><stock_available><id><![CDATA[67]]></id><quantity><![CDATA[10]]></quantity></stock_available></shopa>'
  )
})

t.test('a value that ends a section stays a value', async t => {
  t.match(
    recordXml('stock_available', { location: 'A]]></location><quantity>9</quantity>' }),
    '<location><![CDATA[A]]]]><![CDATA[></location><quantity>9</quantity>]]></location>'
  )
})
