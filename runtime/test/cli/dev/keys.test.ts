import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { describeKeys, listenForKeys, type Ask, type Key } from '../../../src/cli/dev/keys.ts'

/** A terminal whose keys are pressed by the test. */
function openTerminal (t: Test, run: (ask: Ask) => Promise<void>) {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode (isRaw: boolean) {
      modes.push(isRaw)
    }
  })
  const output = new PassThrough()
  output.resume()
  const said: string[] = []
  const heard = Promise.withResolvers<void>()
  const runs: Promise<void>[] = []
  const keys: Record<string, Key> = {
    a: {
      does: 'asks',
      run (ask) {
        const ran = run(ask)
        runs.push(ran)
        return ran
      }
    },
    q: {
      does: 'quits',
      isAlways: true,
      async run () {
        said.push('quits')
        heard.resolve()
      }
    }
  }
  let interrupts = 0
  const listening = listenForKeys({
    terminal: { input, output },
    keys,
    say (text) {
      said.push(text)
      heard.resolve()
    },
    onInterrupt () {
      interrupts += 1
      heard.resolve()
    }
  })
  t.teardown(() => {
    listening.close()
  })
  return { input, modes, said, heard: heard.promise, runs, keys, interrupts: () => interrupts, listening }
}

t.test('a key runs what it stands for, which may ask with an offer', async t => {
  const answers: (string | undefined)[] = []
  const done = Promise.withResolvers<void>()
  const { input } = openTerminal(t, async ask => {
    for (const typed of ['typed\r', '\r']) {
      const answer = ask('question', 'offer')
      input.write(typed)
      answers.push(await answer)
    }
    done.resolve()
  })
  input.write('a')
  await done.promise

  t.strictSame(answers, ['typed', 'offer'])
})

t.test('Ctrl-C ends a question, and not the program', async t => {
  const done = Promise.withResolvers<string | undefined>()
  const { input, interrupts } = openTerminal(t, async ask => {
    const answer = ask('question', 'offer')
    input.write('\u0003')
    done.resolve(await answer)
  })
  input.write('a')

  t.equal(await done.promise, undefined)
  t.equal(interrupts(), 0)
})

t.test('Ctrl-C without a question ends the program', async t => {
  const { input, heard, interrupts } = openTerminal(t, async () => undefined)
  input.write('\u0003')
  await heard

  t.equal(interrupts(), 1)
})

t.test('the question mark lists the keys, and another key does nothing', async t => {
  const { input, heard, said, keys } = openTerminal(t, async () => undefined)
  input.write('x?')
  await heard

  t.strictSame(said, [describeKeys(keys)])
  t.equal(describeKeys(keys), '  a  asks\n  q  quits\n  ?  list the keys')
})

t.test('what a key throws is told, and the next key works', async t => {
  let count = 0
  const { input, heard, said, runs } = openTerminal(t, async () => {
    count += 1
    if (count === 1) throw new Error('no connection')
  })
  input.write('a')
  await heard
  await Promise.allSettled(runs)
  t.strictSame(said, ['no connection'])
  await new Promise(resolve => setImmediate(resolve))
  input.write('a')
  await new Promise(resolve => setImmediate(resolve))

  t.equal(count, 2)
})

t.test('the terminal gives single keys while the keys work, and lines afterwards', async t => {
  const { modes, listening } = openTerminal(t, async () => undefined)
  t.strictSame(modes, [true])

  listening.close()

  t.strictSame(modes, [true, false])
})

t.test('Ctrl-C and the key that works always count while a key runs, and other keys do not', async t => {
  for (const [pressed, wanted] of [['\u0003', 1], ['q', 0]] as const) {
    let count = 0
    const { input, heard, said, interrupts } = openTerminal(t, () => {
      count += 1
      return new Promise(() => undefined)
    })
    input.write(`aa?${pressed}`)
    await heard

    t.equal(count, 1)
    t.equal(interrupts(), wanted)
    t.strictSame(said, wanted === 1 ? [] : ['quits'])
  }
})

t.test('the key that works always is text for a question', async t => {
  const done = Promise.withResolvers<string | undefined>()
  const { input, said } = openTerminal(t, async ask => {
    const answer = ask('question', 'offer')
    input.write('q\r')
    done.resolve(await answer)
  })
  input.write('a')

  t.equal(await done.promise, 'q')
  t.strictSame(said, [])
})
