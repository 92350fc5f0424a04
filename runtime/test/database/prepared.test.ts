import { createHash } from 'node:crypto'
import t from 'tap'
import { prepared, prepareMarked } from '../../src/database/prepared.ts'

type Arguments = readonly unknown[]

/** A client that writes down what reaches the driver, and answers with `answer`. */
function openClient (answer: () => unknown = () => Promise.resolve([])) {
  const sent: Arguments[] = []
  const client = {
    query (...args: Arguments): unknown {
      sent.push(args)
      return answer()
    }
  }
  prepareMarked(client)
  return { client, sent }
}

t.test('a marked statement is sent by the name of its text, which every process gives it', async t => {
  const [first, second] = [prepared('select $1::int as first'), prepared('select $1::int as second')]
  const { client, sent } = openClient()
  client.query(first, [1])
  client.query(second, [2])
  client.query(prepared('select $1::int as first'), [3])

  t.equal(first, 'select $1::int as first')
  const [one, two, again] = sent.map(([statement]) => statement as { name: string, text: string })
  t.strictSame([one?.text, two?.text], [first, second])
  t.not(one?.name, two?.name)
  t.equal(one?.name, `linker_${createHash('sha256').update(first).digest('hex').slice(0, 32)}`)
  t.equal(again?.name, one?.name)
  t.strictSame(sent.map(([, values]) => values), [[1], [2], [3]])
})

t.test('a statement without a mark, or without values, is sent as it is', async t => {
  const { client, sent } = openClient()
  client.query('select 1', [])
  client.query(prepared('begin'))
  client.query({ text: 'select 2' })

  t.strictSame(sent, [['select 1', []], ['begin'], [{ text: 'select 2' }]])
})

t.test('a plan whose table has changed is not used again; another failure changes nothing', async t => {
  const statement = prepared('select * from changed where id = $1')
  const codes = ['23505', '0A000']
  const { client, sent } = openClient(() => {
    const code = codes.shift()
    return code === undefined ? Promise.resolve([]) : Promise.reject(Object.assign(new Error(code), { code }))
  })
  for (let tries = 0; tries < 3; tries++) {
    await Promise.resolve(client.query(statement, [1])).catch(() => undefined)
  }

  t.strictSame(sent.map(([given]) => typeof given), ['object', 'object', 'string'])
  const other = openClient()
  other.client.query(statement, [1])
  t.equal(typeof other.sent[0]?.[0], 'object', 'a new connection has no such plan')
})

t.test('a call that answers by a callback works too', async t => {
  const { client, sent } = openClient(() => undefined)

  t.equal(client.query(prepared('select $1::int as called'), [1], () => undefined), undefined)
  t.equal(sent[0]?.length, 3)
})
