import { createRecording, refuseSecrets, type RecordedExchange } from '@linker/sdk/host'
import t from 'tap'

const answered = (body: unknown, request: Partial<RecordedExchange['request']> = {}): RecordedExchange => ({
  request: { method: 'GET', path: '/orders', ...request },
  answer: { status: 200, body }
})
const bodiesOf = (...exchanges: RecordedExchange[]): unknown[] =>
  createRecording(exchanges).exchanges.map(({ answer }) => answer?.body)

t.test('the data of persons is made up, and keeps its form', async t => {
  const [body] = bodiesOf(answered({
    buyer: { name: 'Anna Nowak', login: 'annan', email: 'Anna.Nowak@poczta.test' },
    deliveryAddress: {
      first_name: 'Anna',
      lastName: 'Nowak',
      street: 'Prosta 1/2',
      zip: '00-001',
      city: 'Warszawa',
      phone: '+48 600-700-800',
      vatNumber: 'PL1234567890'
    }
  }))

  t.strictSame(body, {
    buyer: { name: 'Name1 Surname1', login: 'login1', email: 'person1@example.com' },
    deliveryAddress: {
      first_name: 'Name1',
      lastName: 'Surname1',
      street: 'Street 1',
      zip: '00-001',
      city: 'Warszawa',
      phone: '+48 000-000-001',
      vatNumber: 'PL0000000002'
    }
  })
})

t.test('the data of products stays', async t => {
  const product = { id: 27, name: 'Mug', taxId: '3', mobile: true, variants: [{ name: 'Blue, 300 ml' }] }

  t.strictSame(bodiesOf(answered([product])), [[product]])
})

t.test('the same value becomes the same in all exchanges, and another value another one', async t => {
  const [first, second] = bodiesOf(
    answered({ email: 'a@shop.test', lastname: 'Nowak' }),
    answered([{ email: 'B@shop.test', lastname: 'Lis' }, { email: 'A@shop.test', lastname: 'Nowak' }])
  )

  t.strictSame(first, { email: 'person1@example.com', lastname: 'Surname1' })
  t.strictSame(second, [{ email: 'person2@example.com', lastname: 'Surname2' }, first])
})

t.test('addresses and known names are also found in texts, in the query and in XML', async t => {
  const [exchange] = createRecording([{
    request: {
      method: 'POST',
      path: '/customers/kowalska@shop.test',
      query: { 'filter[email]': '[kowalska@shop.test]' },
      text: '<customer><lastname><![CDATA[Kowalska]]></lastname><note>for Kowalska, not Kowalskanna</note></customer>'
    },
    answer: { status: 200, body: { message: 'Kowalska <kowalska@shop.test> was added' } }
  }]).exchanges

  t.equal(exchange?.request.path, '/customers/person1@example.com')
  t.strictSame(exchange?.request.query, { 'filter[email]': '[person1@example.com]' })
  t.equal(
    exchange?.request.text,
    '<customer><lastname><![CDATA[Surname1]]></lastname><note>for Surname1, not Kowalskanna</note></customer>'
  )
  t.strictSame(exchange?.answer?.body, { message: 'Surname1 <person1@example.com> was added' })
})

t.test('a percent-encoded address is the same person', async t => {
  const [exchange] = createRecording([{
    request: { method: 'GET', path: '/customers/jan%40shop.test/a%20b' },
    answer: {
      status: 200,
      body: { email: 'jan@shop.test', next: '/customers/jan%40shop.test/orders?q=jan%40shop.test' }
    }
  }]).exchanges

  t.equal(exchange?.request.path, '/customers/person1@example.com/a%20b')
  t.strictSame(exchange?.answer?.body, {
    email: 'person1@example.com',
    next: '/customers/person1%40example.com/orders?q=person1@example.com'
  })
})

t.test('the author replaces the rest by place', async t => {
  const seen: string[] = []
  const { exchanges } = createRecording([answered({ note: 'ring twice', rows: [{ id: 1 }] })], {
    redact (value, pointer) {
      seen.push(pointer)
      return pointer === '/answer/body/note' ? 'a note' : value
    }
  })

  t.strictSame(exchanges[0]?.answer?.body, { note: 'a note', rows: [{ id: 1 }] })
  t.ok(seen.includes('/request/path') && seen.includes('/answer/body/rows/0/id'))
})

t.test('a recording that shows a secret is refused, without the secret in the message', async t => {
  const recording = createRecording([answered({ a: 1 }), answered({ b: 'canary' }, { path: '/canary' })])
  const redact = (text: string): string => text.replaceAll('canary', '[redacted]')

  t.throws(() => {
    refuseSecrets(recording, redact)
  }, { message: /^exchange 1, GET \/\[redacted\], would show a secret/ })
  t.doesNotThrow(() => {
    refuseSecrets(createRecording([answered({ a: 1 })]), redact)
  })
})
