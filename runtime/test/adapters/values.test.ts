import { mostConnectionBytes, valueBytes } from '@linker/sdk/host'
import t from 'tap'
import {
  deleteOneValue,
  selectValueBytes,
  selectValues,
  sumValueBytes,
  upsertValue
} from '../../src/adapters/statements.ts'
import { createValues } from '../../src/adapters/values.ts'
import type { Query } from '../../src/database/database.ts'

/** What the statements about one value answer: the bytes of the JSON that is or was stored. */
interface Present {
  present?: number
  replaced?: number
  removed?: number
}

/** Values of a connection that stores so many bytes. */
function open (stored: number, { present, replaced, removed }: Present = {}) {
  const written: unknown[] = []
  const rowOf = (bytes: number | undefined): object[] => bytes === undefined ? [] : [{ bytes }]
  const answers = new Map<string, object[]>([
    [sumValueBytes, [{ bytes: stored }]],
    [selectValueBytes, rowOf(present)],
    [deleteOneValue, rowOf(removed)],
    [upsertValue, [{ replaced: replaced ?? null }]]
  ])
  const query: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    if (text === upsertValue) written.push(values[2])
    return (answers.get(text) ?? []) as Row[]
  }
  return { ...createValues(query), written }
}

const text = 'text'
const jsonBytes = Buffer.byteLength(JSON.stringify(text))
const bytes = valueBytes('key', JSON.stringify(text))

t.test('a value that fits is stored as JSON, and then its place is taken', async t => {
  const { writeValue, written } = open(mostConnectionBytes - bytes)

  t.equal(await writeValue('c', 'key', text, undefined), true)
  t.strictSame(written, ['"text"'])
  t.equal(await writeValue('c', 'yek', text, undefined), false)
})

t.test('a value for which there is no room is not stored', async t => {
  const { writeValue, written } = open(mostConnectionBytes - bytes + 1)

  t.equal(await writeValue('c', 'key', text, undefined), false)
  t.strictSame(written, [])
})

t.test('a full connection may replace a value by one that is not larger', async t => {
  const { writeValue } = open(mostConnectionBytes, { present: jsonBytes, replaced: jsonBytes })

  t.equal(await writeValue('c', 'key', text, undefined), true)
  t.equal(await writeValue('c', 'key', `${text}s`, undefined), false)
})

t.test('a value that replaces one counts only for the difference', async t => {
  const { writeValue } = open(mostConnectionBytes - bytes, { replaced: jsonBytes })
  await writeValue('c', 'key', text, undefined)

  t.equal(await writeValue('c', 'key', text, undefined), true)
})

t.test('removing a value makes room for another of its size', async t => {
  const { writeValue, deleteValue } = open(mostConnectionBytes - bytes, { removed: jsonBytes })
  await writeValue('c', 'key', text, undefined)
  await deleteValue('c', 'key')

  t.equal(await writeValue('c', 'yek', text, undefined), true)
  t.equal(await writeValue('c', 'kye', text, undefined), false)
})

/** The end of the keys that a listing of a prefix asks for. */
async function endOf (prefix: string): Promise<string | null> {
  let end: unknown
  const query: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    if (text === selectValues('ascending')) end = values[2]
    return [] as Row[]
  }
  await createValues(query).listValues('c', { prefix, after: undefined, limit: 10, order: 'ascending' })
  return end as string | null
}

for (
  const [what, prefix, end] of [
    ['no prefix', '', null],
    ['a letter', 'order:', 'order;'],
    ['the last character', '\u{10ffff}', null],
    ['the last character after others', 'a\u{10ffff}\u{10ffff}', 'b'],
    ['the character before the surrogates', '\ud7ff', '\ue000'],
    ['a character of two units', '😀', '😁']
  ] as const
) {
  t.test(`the keys of ${what} end where they should`, async t => {
    t.equal(await endOf(prefix), end)
  })
}

t.test('between a prefix and its end are the keys that start with it, and no others', async t => {
  const characters = ['', 'a', 'b', '\u007f', '\u0080', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']
  const texts = characters.flatMap(first => characters.map(second => first + second))
  const wrong: [string, string][] = []
  for (const prefix of texts) {
    const end = await endOf(prefix)
    const isListed = (key: string): boolean =>
      Buffer.compare(Buffer.from(key), Buffer.from(prefix)) >= 0 &&
      (end === null || Buffer.compare(Buffer.from(key), Buffer.from(end)) < 0)
    wrong.push(...texts.filter(key => isListed(key) !== key.startsWith(prefix)).map((key): [string, string] => [
      prefix,
      key
    ]))
  }

  t.strictSame(wrong, [])
})
