import t from 'tap'
import { describeConsole, type ConsoleLineOptions } from '../../src/access/console-line.ts'

const hubUrl = 'http://127.0.0.1:3000'

async function lineOf (options: Partial<ConsoleLineOptions> = {}) {
  const made: string[] = []
  const warnings: object[] = []
  const line = await describeConsole({
    console: true,
    role: 'all',
    hubUrl,
    isTerminal: true,
    async makeCode () {
      made.push('the-code')
      return { code: 'the-code' }
    },
    log: { warn: fields => warnings.push(fields) },
    ...options
  })
  return { line, made, warnings }
}

t.test('on a terminal the line signs a person in', async t => {
  t.match((await lineOf()).line, /^Console {4}http:\/\/127\.0\.0\.1:3000\/console\/#code=the-code {2}\(/)
  const { line } = await lineOf({ publicUrl: 'https://hub.example/linker/', role: 'http' })
  t.match(line, ' https://hub.example/linker/console/#code=the-code ')
})

t.test('elsewhere it has no code, and the hub makes none', async t => {
  t.strictSame(await lineOf({ isTerminal: false }), { line: `Console    ${hubUrl}/console/`, made: [], warnings: [] })
})

t.test('a process that serves no console has no line', async t => {
  const none = { line: undefined, made: [], warnings: [] }
  t.strictSame(await lineOf({ console: false }), none)
  t.strictSame(await lineOf({ role: 'worker' }), none)
})

t.test('a hub that cannot make a code starts all the same', async t => {
  const { line, warnings } = await lineOf({ makeCode: () => Promise.reject(new Error('no database')) })
  t.equal(line, `Console    ${hubUrl}/console/`)
  t.match(warnings, [{ err: { message: 'no database' } }])
})
