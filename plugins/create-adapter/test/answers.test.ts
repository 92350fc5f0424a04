import t from 'tap'
import { checkGiven, completeAnswers, displayNameOf, isComplete, Refusal, type Given } from '../src/answers.ts'
import { readArguments } from '../src/arguments.ts'

const cwd = '/projects'

function refusalOf (act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

t.test('platform and display name follow from the folder, unless they are given', async t => {
  t.strictSame(completeAnswers({ folder: 'code/my-shop', role: 'shop' }, cwd), {
    directory: '/projects/code/my-shop',
    role: 'shop',
    platform: 'my-shop',
    displayName: 'My Shop'
  })
  t.match(completeAnswers({ folder: '.', role: 'carrier' }, '/projects/parcelo'), { platform: 'parcelo' })
  t.match(completeAnswers({ folder: 'My Code', role: 'carrier', platform: 'parcelo', displayName: 'Żółw' }, cwd), {
    directory: '/projects/My Code',
    platform: 'parcelo',
    displayName: 'Żółw'
  })
  t.equal(displayNameOf('feed-shop-'), 'Feed Shop')
})

t.test('a missing answer is named', async t => {
  const cases: [Given, RegExp][] = [
    [{ role: 'shop' }, /^the folder is missing/],
    [{ folder: 'my-shop' }, /^--role is missing: use shop, marketplace, or carrier$/],
    [{ folder: 'My_Shop', role: 'shop' }, /^'My_Shop' cannot be the platform: .*Name another with --platform$/]
  ]
  for (const [given, reason] of cases) {
    t.match(refusalOf(() => completeAnswers(given, cwd)), reason)
    t.notOk(isComplete(given, cwd), 'a terminal asks for it')
  }
  t.ok(isComplete({ folder: 'my-shop', role: 'shop' }, cwd))
})

t.test('a wrong answer is named', async t => {
  const cases: [Given, RegExp][] = [
    [{ role: 'store' }, /^--role 'store' is unknown/],
    [{ platform: 'Shop' }, /^'Shop' cannot be the platform: it must be/],
    [{ platform: 'a'.repeat(33) }, /cannot be the platform/],
    [{ platform: '' }, /cannot be the platform/],
    [{ platform: 'a\u001b[2J' }, /^'a\\u001b\[2J' cannot be the platform/],
    [{ platform: 'marketplace' }, /the hub needs this name for its own jobs$/],
    [{ displayName: ' ' }, /is empty$/],
    [{ displayName: 'x'.repeat(101) }, /more than 100 characters$/],
    [{ displayName: 'a\nb' }, /a control character$/]
  ]
  for (const [given, reason] of cases) t.match(refusalOf(() => checkGiven(given)), reason)
})

t.test('the command line is read, and what it should not have is named', async t => {
  t.strictSame(readArguments(['my-shop', '--role', 'shop', '--platform=feed', '--display-name', 'Feed']), {
    folder: 'my-shop',
    role: 'shop',
    platform: 'feed',
    displayName: 'Feed',
    isHelp: false
  })
  t.match(readArguments(['-h']), { isHelp: true, folder: undefined })
  t.match(refusalOf(() => readArguments(['my-shop', '--rolle', 'shop'])), /--rolle/)
  t.match(refusalOf(() => readArguments(['my-shop', '--role'])), /--role/)
  t.match(refusalOf(() => readArguments(['my-shop', 'shop'])), /^'shop' is too much: options come after --$/)
})
