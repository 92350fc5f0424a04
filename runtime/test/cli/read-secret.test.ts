import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { askSecret, readSecret } from '../../src/cli/read-secret.ts'

t.test('a secret is read from a file or from standard input, without the line break at its end', async t => {
  const folder = t.testdir({ secret: 'hush \n', empty: '\n' })
  const noInput = Readable.from([])

  t.equal(await readSecret('key', join(folder, 'secret'), noInput), 'hush ')
  t.equal(await readSecret('key', '-', Readable.from(['hu', 'sh\r\n'])), 'hush')
  await t.rejects(readSecret('key', join(folder, 'empty'), noInput), { message: "the secret 'key' is empty" })
  await t.rejects(readSecret('key', '-', noInput), { message: "the secret 'key' is empty" })
  await t.rejects(readSecret('key', join(folder, 'none'), noInput), {
    message: /^the file of the secret 'key' cannot be read: ENOENT$/
  })
})

t.test('the terminal shows the question and not the answer', async t => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const asked = askSecret('key', { input, output })
  input.write('hush\n')

  t.equal(await asked, 'hush')
  output.end()
  t.equal(await text(output), 'key: \n')
})

t.test('a question that the operator ends is an error', async t => {
  for (const key of ['\u0003', '\u0004', '\n']) {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const asked = askSecret('key', { input, output })
    input.write(key)

    await t.rejects(asked, { message: /^the secret 'key' (was not entered|is empty)$/ })
  }
})
