import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { collectGarbage, releaseStartMemory } from '../../src/cli/release-start-memory.ts'

t.test('garbage is collected at once', async t => {
  const garbage = (() => new WeakRef({}))()
  // An object cannot be collected in the turn that made its reference.
  await sleep(0)
  await collectGarbage()

  t.equal(garbage.deref(), undefined)
})

function block (milliseconds: number): void {
  const endsAt = performance.now() + milliseconds
  while (performance.now() < endsAt);
}

t.test('the memory of the start is released once, when the loop has become idle', async t => {
  const lookEveryMs = 50
  let released = 0
  const { promise: isReleased, resolve } = Promise.withResolvers<void>()
  releaseStartMemory({
    lookEveryMs,
    async collect () {
      released += 1
      resolve()
      throw new Error('no debugger')
    }
  })
  for (let turn = 0; turn < 8; turn += 1) {
    block(lookEveryMs)
    await sleep(0)
    t.equal(released, 0, 'a busy hub is not made to wait')
  }
  // The timer does not keep the process alive.
  const alive = setInterval(() => undefined, 1_000)
  await isReleased
  await sleep(4 * lookEveryMs)
  clearInterval(alive)

  t.equal(released, 1)
})
