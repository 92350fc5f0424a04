import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { createArchive, readPieces, type Header, type Piece } from '../../src/backup/archive.ts'
import { checkBackupFile, writeCompressed } from '../../src/backup/backup-file.ts'
import { linesOf } from '../../src/backup/lines.ts'
import { checkVersion } from '../../src/backup/restore-backup.ts'

const header: Header = {
  hubVersion: '1.2.3',
  takenAt: '2026-01-02T03:04:05.678Z',
  mode: 'embedded',
  migrations: ['0001-foundation'],
  plainSecrets: 0
}
const damaged = { code: 'LNK_BACKUP_DAMAGED' }

async function* batches (): AsyncGenerator<string[]> {
  yield ['["1","a\u2028b"]', '["2",null]']
  yield ['["3","c"]']
}

async function* none (): AsyncGenerator<string[]> {}

async function write (stream: Writable): Promise<void> {
  const archive = await createArchive(stream, header)
  await archive.section('things', ['id', 'name'], batches())
  await archive.section('nothing', ['id'], none())
  await archive.end()
}

async function writeText (): Promise<string> {
  const chunks: Buffer[] = []
  await write(new Writable({
    write (chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    }
  }))
  return Buffer.concat(chunks).toString()
}

/** Reads a text in chunks of a few bytes, so that they end within lines and characters. */
async function read (text: string): Promise<Piece[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from(
    { length: Math.ceil(bytes.length / 7) },
    (_, index) => bytes.subarray(index * 7, index * 7 + 7)
  )
  const pieces: Piece[] = []
  for await (const piece of readPieces(linesOf(Readable.from(chunks)))) pieces.push(piece)
  return pieces
}

async function makeFile (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-archive-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return join(directory, 'a.backup.gz')
}

t.test('a backup reads back as it was written', async t => {
  t.strictSame(await read(await writeText()), [
    { kind: 'header', header: { format: 'linker-backup', version: 1, ...header } },
    { kind: 'section', name: 'things', columns: ['id', 'name'] },
    { kind: 'rows', rows: [['1', 'a\u2028b'], ['2', null], ['3', 'c']] },
    { kind: 'section', name: 'nothing', columns: ['id'] },
    { kind: 'end', totals: { sections: 2, rows: 3 } }
  ])
})

t.test('a backup that lost or changed anything is refused', async t => {
  const text = await writeText()
  const lines = text.split('\n').slice(0, -1)
  const without = (index: number): string => `${lines.toSpliced(index, 1).join('\n')}\n`

  for (const index of lines.keys()) {
    await t.rejects(read(without(index)), damaged, `without line ${index}`)
    await t.rejects(read(`${lines.slice(0, index).join('\n')}\n`), damaged, `cut off before line ${index}`)
  }
  for (
    const changed of [
      text.replace('["2",null]', '["2","x"]'),
      text.replace('["2",null]', '["2"]'),
      text.replace('["2",null]', '["2",'),
      text.replace('"rows":3}', '"rows":4}'),
      text.replace('"version":1', '"version":2'),
      text.replace('"mode":"embedded"', '"mode":"other"'),
      text.slice(0, -1),
      `${text}${text}`,
      ''
    ]
  ) await t.rejects(read(changed), damaged)
})

t.test('a file that is cut off, changed or something else is refused', async t => {
  const path = await makeFile(t)
  const file = await open(path, 'wx')
  await writeCompressed(file, write)
  await file.close()
  t.match(await checkBackupFile(path), { header, sections: 2, rows: 3 })

  const whole = await readFile(path)
  const changed = Buffer.from(whole)
  changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 255
  for (const bytes of [whole.subarray(0, -9), whole.subarray(0, 40), changed, randomBytes(100), Buffer.alloc(0)]) {
    await writeFile(path, bytes)
    await t.rejects(checkBackupFile(path), damaged)
  }
})

t.test('an error while a file is written is the error of the write', async t => {
  const file = await open(await makeFile(t), 'wx')
  t.teardown(() => file.close())

  await t.rejects(
    writeCompressed(file, async stream => {
      await write(stream)
      throw new RangeError('the database is away')
    }),
    RangeError
  )
})

t.test('a backup of a newer version is refused, and one of an older version is not', t => {
  t.doesNotThrow(() => {
    checkVersion(header)
  })
  t.throws(() => {
    checkVersion({ ...header, migrations: ['0001-foundation', '9999-later'] })
  }, { code: 'LNK_BACKUP_NEWER', message: /1\.2\.3/ })
  t.end()
})

t.test('writing ends with the error of a stream that is destroyed while it waits for its reader', async t => {
  const stream = new PassThrough()
  stream.on('error', () => undefined)
  const archive = await createArchive(stream, header)

  async function* more (): AsyncGenerator<string[]> {
    setImmediate(() => stream.destroy(new Error('the reader refuses')))
    yield [`["${'a'.repeat(2 * stream.writableHighWaterMark)}"]`]
  }

  await t.rejects(archive.section('things', ['id'], more()), { message: 'the reader refuses' })
})
