import { quoteAnswer } from '@linker/sdk'
import t from 'tap'

t.test('a quote is the first line, without a document', async t => {
  t.equal(quoteAnswer('\n XML error : no XML\r\nXML length : 9\nOriginal XML : <a/>'), 'XML error : no XML')
  t.equal(quoteAnswer('refused <?xml version="1.0"?><a>Anna</a>'), 'refused')
  t.equal(quoteAnswer('502 <!DOCTYPE html><html><h1>Bad gateway</h1>'), '502')
  t.equal(quoteAnswer('the tag <div> is not allowed'), 'the tag <div> is not allowed')
  t.equal(quoteAnswer(''), '')
})

t.test('a quote is bounded', async t => {
  t.equal(quoteAnswer('word '.repeat(100_000)).length, 299)
  t.equal(quoteAnswer('word '.repeat(1_000), { longest: 500 }).length, 499)
  t.equal(quoteAnswer('a key half-a-secret', { longest: 10 }), 'a key', 'no part of a word')
})

t.test('a quote has no e-mail address', async t => {
  for (const said of ['a customer buyer+1@example.com exists', '"buyer@example.com": no', '<buyer@example.com>']) {
    t.notMatch(quoteAnswer(said), /@/, said)
  }
})

t.test('a quote has none of the personal values, whole or in words, in any case', async t => {
  const personal = ['Anna-Maria', "O'Neil (junior)", 'Li', 'ul. Prosta 1/2', '+48 500 600 700']
  const said = 'invalid: ANNA-MARIA, Maria, O&#039;Neil (junior), Li, Prosta 1/2, 500600700, +48 500 600 700'

  t.equal(quoteAnswer(said, { personal }), 'invalid: …, …, O&#039;… (…), …, … 1/2, 500600700, …')
  t.equal(quoteAnswer('the value is valid', { personal }), 'the value is valid', 'only whole words')
})
