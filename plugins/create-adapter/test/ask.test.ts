import { PassThrough } from 'node:stream'
import t from 'tap'
import { Refusal, type Given } from '../src/answers.ts'
import { ask } from '../src/ask.ts'

/** Asks on a terminal where somebody types one text after each question. */
async function answerTo (given: Given, typed: readonly string[]): Promise<Given> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const left = [...typed]
  output.on('data', (chunk: Buffer) => {
    // The mark of a new question. It listens once its text is written.
    if (chunk.includes('◆')) setImmediate(() => input.write(left.shift() ?? ''))
  })
  return ask(given, '/projects', { input, output })
}

t.test('every missing answer is asked for, and return takes what is offered', async t => {
  const answers = await answerTo({}, ['\r', '\u001b[B\r', '\r', '\r'])

  t.strictSame(answers, { folder: 'my-shop', role: 'marketplace', platform: 'my-shop', displayName: 'My Shop' })
})

t.test('an answer that is given is not asked for', async t => {
  const answers = await answerTo({ folder: 'My Shop', role: 'carrier' }, ['parcelo\r', '\r'])

  t.strictSame(answers, { folder: 'My Shop', role: 'carrier', platform: 'parcelo', displayName: 'Parcelo' })
})

t.test('an author who stops is told that nothing was made', async t => {
  await t.rejects(answerTo({ folder: 'my-shop' }, ['\u0003']), new Refusal('stopped: nothing was made'))
})
