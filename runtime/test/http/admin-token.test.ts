import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  adminTokenPath,
  followAdminToken,
  readOrCreateAdminToken,
  rotateAdminToken
} from '../../src/http/admin-token.ts'

t.test('the first start makes a token for its owner only, and later starts read it', async t => {
  const dataDirectory = join(t.testdir({}), 'state')
  const { token, path = '' } = await readOrCreateAdminToken({ dataDirectory })

  t.equal(Buffer.from(token, 'base64url').length, 32)
  t.equal(await readFile(path, 'utf8'), token)
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal((await stat(dataDirectory)).mode & 0o777, 0o700)
  t.strictSame(await readOrCreateAdminToken({ dataDirectory }), { token, path })
  t.strictSame(await readdir(dataDirectory), ['admin-token'])
})

t.test('a process that starts at the same time reads the whole token or makes none', async t => {
  const dataDirectory = t.testdir({})
  const path = adminTokenPath({ dataDirectory })
  const first = readOrCreateAdminToken({ dataDirectory })
  // Look without a pause, so that the first start does nothing between the making of the file and
  // the look.
  let second: string | undefined
  while (second === undefined) {
    await new Promise(setImmediate)
    const until = performance.now() + 5
    while (performance.now() < until && !existsSync(path));
    if (existsSync(path)) second = readFileSync(path, 'utf8')
  }

  t.equal(second, (await first).token)
})

t.test('of first starts at the same time all have the same token', async t => {
  const dataDirectory = t.testdir({})
  const starts = await Promise.all(Array.from({ length: 4 }, () => readOrCreateAdminToken({ dataDirectory })))

  t.equal(new Set(starts.map(({ token }) => token)).size, 1)
})

t.test('ADMIN_TOKEN wins, and then no file is made', async t => {
  const dataDirectory = join(t.testdir({}), 'state')

  t.strictSame(await readOrCreateAdminToken({ dataDirectory, adminToken: 'given' }), { token: 'given' })
  await t.rejects(stat(dataDirectory), { code: 'ENOENT' })
})

t.test('a rotation is known within a second, and the former token ends after the overlap', async t => {
  const dataDirectory = t.testdir({})
  const { token: former, path = '' } = await readOrCreateAdminToken({ dataDirectory })
  let nowMs = 0
  const tokens = followAdminToken(path, () => nowMs)
  t.strictSame(tokens(), [former])

  const token = await rotateAdminToken({ dataDirectory }, 60_000, nowMs)
  t.strictSame(tokens(), [former], 'it looks at the file once a second')
  nowMs = 1_000
  t.strictSame(tokens(), [token, former])
  t.strictSame(await readOrCreateAdminToken({ dataDirectory }), { token, path })
  for (const name of await readdir(dataDirectory)) {
    t.equal((await stat(join(dataDirectory, name))).mode & 0o777, 0o600, name)
  }
  nowMs = 59_999
  t.strictSame(tokens(), [token, former])
  nowMs = 60_000
  t.strictSame(tokens(), [token])
})

t.test('without an overlap, the former token ends at once', async t => {
  const dataDirectory = t.testdir({})
  const { path = '' } = await readOrCreateAdminToken({ dataDirectory })
  const token = await rotateAdminToken({ dataDirectory }, 0, 0)

  t.strictSame(followAdminToken(path, () => 0)(), [token])
})

t.test('a hub whose file was removed keeps its token, and a broken file of the former one is ignored', async t => {
  const dataDirectory = t.testdir({})
  const { token, path = '' } = await readOrCreateAdminToken({ dataDirectory })
  let nowMs = 0
  const tokens = followAdminToken(path, () => nowMs)
  t.strictSame(tokens(), [token])
  await writeFile(`${path}.previous`, '{')
  await rm(path)
  nowMs = 5_000

  t.strictSame(tokens(), [token])
})
